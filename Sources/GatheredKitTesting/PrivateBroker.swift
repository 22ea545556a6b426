import Glibc
import Ground
public import Machine

/// An MQTT broker of a test's own: a mosquitto on a port of the loopback.
public final class PrivateBroker: Sendable {
  /// Where it listens.
  public let address: BrokerAddress
  /// Where its files are.
  public let folder: TemporaryFolder

  private let daemon = Monitor<ChildProcess?>(nil, rank: .device)

  /// Whether what it takes is installed.
  public static var isInstalled: Bool {
    access(program, X_OK) == 0 && (try? Libmosquitto.version()) != nil
  }

  /// What is missing where it is not.
  public static let missing = "mosquitto or libmosquitto1 is not installed"

  private static let program = "/usr/sbin/mosquitto"

  /// A broker that runs, with lines of its configuration; `@` in them is its folder. Without any,
  /// it takes every client. What it reads when it starts is in files, or made by `prepare`.
  public init(
    _ settings: [String] = ["allow_anonymous true"], files: [String: String] = [:],
    prepare: (TemporaryFolder) throws -> Void = { _ in }
  ) throws {
    let port = try LoopbackServer.freePort()
    address = BrokerAddress(host: "127.0.0.1", port: port)
    folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(Array(text.utf8), to: name) }
    // It gives up its rights for those of a user who could not read the folder.
    let lines = ["listener \(port) 127.0.0.1", "user root", "persistence false"] + settings
    let path = folder.path
    let text = lines.map { $0.split(separator: "@", omittingEmptySubsequences: false) }
      .map { $0.joined(separator: path) + "\n" }.joined()
    try folder.write(Array(text.utf8), to: "/mosquitto.conf")
    try prepare(folder)
    try start()
  }

  deinit { stop() }

  /// Starts it, again if it was ended; returns when it listens.
  public func start() throws {
    let child = try ChildProcess([Self.program, "-c", folder.path + "/mosquitto.conf"])
    daemon.withLock { $0 = child }
    Patience.wait { LoopbackServer.isOpen(self.address.port) }
  }

  /// Ends it without a farewell.
  public func stop() {
    let child = daemon.withLock { daemon in
      defer { daemon = nil }
      return daemon
    }
    child?.end()
  }

  /// Stops it where it stands, so that it answers nothing.
  public func pause() { daemon.withLock { $0 }?.pause() }

  /// Lets it go on.
  public func resume() { daemon.withLock { $0 }?.resume() }
}
