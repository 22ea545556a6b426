import Gathering
import Machine
import Values

extension Availability {
  /// A tree has no daemons (sources C3).
  static let noUpsdInTree = Availability(
    .serviceNotRunning, backend: "upsd", detail: "a captured tree has no upsd",
    remedy: "name one in the context with nut=HOST:PORT")

  /// upsd runs without any device.
  static let noUPS = Availability(
    .noHardware, backend: "upsd", detail: "upsd has no UPS",
    remedy: "name the UPS in /etc/nut/ups.conf")

  /// A device that upsd does not list any more.
  static func gone(_ name: String) -> Availability {
    Availability(
      .disconnected, backend: "upsd", detail: "upsd no longer has \(name)",
      remedy: "name the UPS in /etc/nut/ups.conf")
  }

  /// Nothing listens where upsd should.
  static func noUpsd(at address: ServiceAddress, in files: any FileTree) -> Availability {
    Availability(
      .serviceNotRunning, backend: "upsd", detail: "nothing listens on \(address.text)",
      remedy: remedy(for: address, in: files))
  }

  /// The connection to upsd could not be made, or is lost, for an errno; 0 if it is being made.
  static func upsd(
    _ code: Int32, at address: ServiceAddress, in files: any FileTree
  ) -> Availability {
    let text = address.text
    let inquiry = "find out what listens on \(text)"
    switch code {
    case 0:
      return Availability(
        .failed, backend: "upsd", detail: "\(text) has not answered so far",
        errno: SystemText.tryAgain, remedy: inquiry)
    case SystemText.unknownProtocol:
      return Availability(
        .failed, backend: "upsd", detail: "\(text) speaks another protocol", errno: code,
        remedy: inquiry)
    case SystemText.timedOut:
      return Availability(
        .failed, backend: "upsd", detail: "\(text) does not answer", errno: code, remedy: inquiry)
    case SystemText.accessDenied:
      return Availability(
        .permissionDenied, backend: "upsd", detail: "\(text) refuses us", errno: code,
        remedy: "allow this host in upsd.conf")
    default:
      let detail = code == SystemText.notConnected ? "closed" : SystemText.message(of: code)
      return Availability(
        .serviceNotRunning, backend: "upsd", detail: "\(text): \(detail)", errno: code,
        remedy: remedy(for: address, in: files))
    }
  }

  private static func remedy(for address: ServiceAddress, in files: any FileTree) -> String {
    if address != .upsd { return "start upsd on \(address.text)" }
    let isInstalled = ["/usr/sbin/upsd", "/sbin/upsd"].contains {
      (try? files.canonicalPath(of: $0)) != nil
    }
    return isInstalled
      ? "set MODE in /etc/nut/nut.conf, then: systemctl restart nut-server"
      : "install nut-server and set MODE in /etc/nut/nut.conf"
  }

  /// What is wrong with a device; nil if nothing is.
  init?(troubleOf device: UpsdDevice, at address: ServiceAddress) {
    let name = device.name
    switch device.standing {
    case .unknown, .fresh, .flapping, .stale: return nil
    case .notConnected:
      self.init(
        .disconnected, backend: "upsd", detail: "the driver of \(name) does not run",
        remedy: Self.restart(name, at: address))
    case .denied:
      self.init(
        .permissionDenied, backend: "upsd", detail: "\(address.text) refuses us \(name)",
        remedy: "allow this host in upsd.conf")
    case .refused(let word):
      self.init(
        .failed, backend: "upsd",
        detail: "upsd says of \(name): \(Array(word.utf8).quotedExcerpt)",
        remedy: Self.restart(name, at: address))
    }
  }

  /// How the driver of a device is started again.
  static func restart(_ name: String, at address: ServiceAddress) -> String {
    let command = "systemctl restart nut-driver@\(name)"
    return address.isLocal ? command : "\(command) # on \(address.host)"
  }
}
