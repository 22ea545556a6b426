import Gathering
import Machine

extension Availability {
  /// The backend can be used.
  static func ready(_ backend: String) -> Availability {
    Availability(.available, backend: backend)
  }

  /// The backend works, but receives too few satellites.
  static func noFix(_ backend: String) -> Availability {
    Availability(
      .searching, backend: backend, detail: "no fix so far",
      remedy: "take the receiver to where it sees the sky")
  }

  /// gpsd runs without any device.
  static let noReceiver = Availability(
    .noHardware, backend: "gpsd", detail: "gpsd has no receiver", remedy: "connect a receiver")

  /// One receiver is gone while gpsd runs.
  static func away(_ name: String, backend: String) -> Availability {
    Availability(
      .disconnected, backend: backend, detail: "\(name) is gone", remedy: "connect it again")
  }

  /// A tree has no daemons (sources C3).
  static let noGpsdInTree = Availability(
    .serviceNotRunning, backend: "gpsd", detail: "a captured tree has no gpsd",
    remedy: "name one in the context with gpsd=HOST:PORT")

  /// Nothing listens where gpsd should.
  static func notListening(_ address: ServiceAddress, in files: any FileTree) -> Availability {
    Availability(
      .serviceNotRunning, backend: "gpsd", detail: "nothing listens on \(address.text)",
      remedy: remedy(for: address, in: files))
  }

  /// The connection to gpsd was refused, or has been lost.
  static func lost(
    _ code: Int32, _ service: ServiceAccess, in files: any FileTree
  ) -> Availability {
    let text = service.address.text
    switch code {
    case SystemText.unknownProtocol:
      return Availability(
        .failed, backend: "gpsd", detail: "\(text) speaks another protocol", errno: code,
        remedy: "install gpsd 3 or later there")
    case SystemText.timedOut:
      return Availability(
        .failed, backend: "gpsd", detail: "\(text) does not answer", errno: code,
        remedy: "find out what listens on \(text)")
    default:
      let detail = code == SystemText.notConnected ? "closed" : SystemText.message(of: code)
      return Availability(
        .serviceNotRunning, backend: "gpsd", detail: "\(text): \(detail)", errno: code,
        remedy: remedy(for: service.address, in: files))
    }
  }

  private static func remedy(for address: ServiceAddress, in files: any FileTree) -> String {
    guard address.isLocal else { return "start gpsd on \(address.host)" }
    let folders = ["/usr/lib/systemd/system", "/lib/systemd/system", "/etc/systemd/system"]
    let hasUnit = folders.contains {
      (try? files.canonicalPath(of: "\($0)/gpsd.socket")) != nil
    }
    guard hasUnit else {
      let isInstalled = (try? files.canonicalPath(of: "/usr/sbin/gpsd")) != nil
      return isInstalled ? "start gpsd on \(address.text)" : "install gpsd"
    }
    return address.port == ServiceAddress.gpsd.port
      ? "systemctl start gpsd.socket" : "start gpsd on \(address.text)"
  }

  /// A receiver's own port cannot be read.
  static func port(_ device: String, _ code: Int32) -> Availability {
    let detail = "\(device): \(SystemText.message(of: code))"
    let (state, remedy): (State, String) =
      switch code {
      case SystemText.noEntry, SystemText.noDevice, SystemText.noDeviceOrAddress:
        (.noHardware, "connect the receiver, or name another device with gnss=")
      case SystemText.accessDenied, SystemText.notPermitted:
        (.permissionDenied, "add yourself to group dialout")
      case SystemText.busy: (.busy, "end what else reads \(device)")
      case SystemText.notConnected: (.disconnected, "connect the receiver again")
      default: (.failed, "look into the kernel's log")
      }
    return Availability(state, backend: "nmea", detail: detail, errno: code, remedy: remedy)
  }
}
