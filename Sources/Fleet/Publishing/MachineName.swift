import Gathering
import Machine
import Values

/// How this machine calls itself at a broker (fleet F6, F15).
enum MachineName {
  /// The longest name, in bytes of its level.
  static let limit = 64

  /// The name of a publisher: the host name only where that may be shown.
  static func own(_ given: String?, mayShowHost: Bool) -> String {
    if let given { return given }
    if mayShowHost, let host = hostName, (try? check(host)) != nil { return host }
    return "linux-" + MachineIdentity.of(.live()).digest(of: "device")
  }

  /// Refuses a name that no id can have.
  static func check(_ name: String) throws(SourceError) {
    let level = FleetTopic.level(name)
    guard !name.isEmpty, !name.utf8.contains(0), level.utf8.count <= limit else {
      throw .invalidArgument(
        "device \(Array(name.utf8).quotedExcerpt) is no name of at most \(limit) bytes")
    }
  }

  /// A client id of the name: with 3.1.1 a digest, since a broker need not take a long one.
  static func clientID(of device: String) -> String { "gk-" + device }

  /// The same for MQTT 3.1.1: no more than 23 characters.
  static func shortClientID(of device: String) -> String {
    "gk-" + SHA256.hash(device.utf8).prefix(10).hexadecimal
  }

  /// Tells this boot from another, and nothing else.
  static func boot() -> String {
    let machine = Machine.live()
    let path = "/proc/sys/kernel/random/boot_id"
    let text = (try? PolledFile(path, in: machine.files).read()) ?? nil
    let id = (text ?? []).filter { $0 > 0x20 }
    return SHA256.authenticationCode(of: id, key: MachineIdentity.of(machine).bytes).prefix(8)
      .hexadecimal
  }

  private static var hostName: String? {
    let text =
      (try? PolledFile("/proc/sys/kernel/hostname", in: Machine.live().files).read()) ?? nil
    return text.flatMap { String(validating: $0.filter { $0 > 0x20 }, as: UTF8.self) }
  }
}
