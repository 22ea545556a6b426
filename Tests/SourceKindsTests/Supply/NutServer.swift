import GatheredKitTesting
import Glibc
import Ground
import Machine

/// Debian's upsd on loopback with a dummy driver for each of its devices, in a folder of its own.
final class NutServer {
  static let daemon = "/lib/nut/upsd"
  static let driver = "/lib/nut/dummy-ups"

  static var isInstalled: Bool {
    access(daemon, X_OK) == 0 && access(driver, X_OK) == 0
  }

  let port: UInt16
  private let folder: TemporaryFolder
  private var drivers: [String: ChildProcess] = [:]
  private var server: ChildProcess?

  /// A server of devices by name, each with the text of a `.dev` or `.seq` file.
  init(_ devices: [(name: String, file: String, text: String)]) throws {
    folder = try TemporaryFolder()
    port = try LoopbackServer.freePort()
    try folder.makeFolder("/run")
    // The daemon looks at the modes of both.
    chmod(folder.path + "/run", 0o700)
    let sections = devices.map { device in
      "[\(device.name)]\n  driver = dummy-ups\n  port = \(device.file)\n  pollinterval = 1\n"
    }
    try write("maxretry = 1\n" + sections.joined(), to: "ups.conf")
    try write("LISTEN 127.0.0.1 \(port)\nMAXAGE 2\n", to: "upsd.conf")
    try write("", to: "upsd.users")
    for device in devices { try write(device.text, to: device.file) }
    for device in devices { try startDriver(device.name) }
    try start()
  }

  deinit {
    server?.end()
    for driver in drivers.values { driver.end() }
  }

  private func write(_ text: String, to file: String) throws {
    try folder.write(Array(text.utf8), to: "/\(file)")
    chmod("\(folder.path)/\(file)", 0o600)
  }

  private func run(_ words: [String]) throws -> ChildProcess {
    // Started by root they would become another user, which cannot read the folder.
    let user = geteuid() == 0 ? ["-u", "root"] : []
    return try ChildProcess(
      words + user,
      environment: [
        "NUT_CONFPATH=\(folder.path)", "NUT_STATEPATH=\(folder.path)/run",
        "NUT_ALTPIDPATH=\(folder.path)/run",
      ])
  }

  /// Starts the daemon and waits until it listens.
  func start() throws {
    server = try run([Self.daemon, "-F"])
    Patience.wait { LoopbackServer.isOpen(port) }
  }

  func stop() {
    server?.end()
    server = nil
  }

  /// Starts a driver and waits until it can be talked to.
  func startDriver(_ name: String) throws {
    let socket = "\(folder.path)/run/dummy-ups-\(name)"
    unlink(socket)
    drivers[name] = try run([Self.driver, "-a", name, "-F"])
    Patience.wait { access(socket, F_OK) == 0 }
  }

  func stopDriver(_ name: String) { drivers.removeValue(forKey: name)?.end() }
  func pauseDriver(_ name: String) { drivers[name]?.pause() }
  func resumeDriver(_ name: String) { drivers[name]?.resume() }
}
