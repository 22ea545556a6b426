import GatheredKitTesting
import Glibc
import Ground
import Machine

/// A real gpsd on loopback, fed by gpsfake with logs (catalogue 3.5).
final class Gpsfake {
  let port: UInt16
  private let folder: TemporaryFolder
  private let logs: [String]
  private let cycle: Double
  private var child: pid_t = 0

  static var isInstalled: Bool {
    access("/usr/sbin/gpsd", X_OK) == 0 && access("/usr/bin/gpsfake", X_OK) == 0
  }

  /// Logs to be played again and again, a line every `cycle` seconds.
  init(_ logs: [SatelliteLog], cycle: Double = 0.01) throws {
    folder = try TemporaryFolder()
    port = try LoopbackServer.freePort()
    self.cycle = cycle
    self.logs = logs.indices.map { "\($0).nmea" }
    for (index, log) in logs.enumerated() {
      try folder.write(Array(log.text.utf8), to: "/\(index).nmea")
    }
  }

  deinit { stop() }

  var address: ServiceAddress { ServiceAddress(host: "127.0.0.1", port: port) }

  /// Starts it and waits until gpsd has its devices. Now and then gpsd refuses a device of gpsfake
  /// for good: then both are started again, and gpsd is asked twice as often.
  func start() throws {
    var questions = 400
    while true {
      try spawn()
      if awaitDevices(for: questions) || questions > 10_000 { return }
      stop()
      questions *= 2
    }
  }

  private func spawn() throws {
    let words =
      ["gpsfake", "-q", "-c", "\(cycle)", "-P", "\(port)"] + logs.map { folder.path + "/" + $0 }
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var attributes = posix_spawnattr_t()
    var actions = posix_spawn_file_actions_t()
    posix_spawnattr_init(&attributes)
    posix_spawn_file_actions_init(&actions)
    for number in 1...2 as ClosedRange<Int32> {
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0)
    }
    // A group of its own: gpsd is ended with it.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    let failure = posix_spawnp(&child, "gpsfake", &actions, &attributes, &arguments, environ)
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    guard failure == 0 else { throw SystemError(failure, at: "gpsfake") }
  }

  /// gpsd listens before gpsfake has told it of its devices. Returns whether it has them all before
  /// it has answered so often without them.
  private func awaitDevices(for most: Int) -> Bool {
    Patience.wait { ListeningPorts.live.look(at: address) != .nothing }
    let answers = Monitor((count: 0, hasDevices: false))
    let count = logs.count
    let connection = DescriptorLink(to: address).open { event in
      let question = Array("?DEVICES;\n".utf8)
      switch event {
      case .opened, .silence, .called: return LineResponse(send: question, patience: 50_000_000)
      case .line(let line):
        let text = String(decoding: line, as: UTF8.self)
        if text.contains("DEVICES") {
          let hasDevices = text.split(separator: "\"path\"").count > count
          answers.withLock { $0 = ($0.count + 1, hasDevices) }
          answers.signalAll()
        }
        return LineResponse(patience: 50_000_000)
      case .closed: return LineResponse()
      }
    }
    let hasDevices = answers.wait(until: Patience.end) { answers in
      answers.hasDevices || answers.count >= most ? answers.hasDevices : nil
    }
    connection.cancel()
    return hasDevices ?? false
  }

  func stop() {
    guard child > 0 else { return }
    kill(-child, SIGKILL)
    waitpid(child, nil, 0)
    child = 0
  }
}
