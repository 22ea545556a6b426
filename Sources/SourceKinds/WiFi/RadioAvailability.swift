import Gathering
import Ground
import Machine

extension Availability {
  /// Whether the radio of a machine can be asked; finds out without side effects.
  init(asking radio: (any RadioAccess)?) {
    do throws(NetlinkError) {
      guard let radio else { throw .noFamily(WiFi.noRadio) }
      _ = try radio.open()
      self.init(.available, backend: "nl80211")
    } catch {
      self.init(radio: error)
    }
  }

  /// What it means that nl80211 cannot be asked (sources E3).
  init(radio error: NetlinkError) {
    switch error {
    case .missingLibrary(let missing):
      self.init(
        .failed, backend: "nl80211", detail: missing.reason, errno: missing.systemError.code,
        remedy: "install \(missing.package)")
    case .noFamily(let reason):
      let isCaptured = reason == WiFi.noRadio
      self.init(
        .unsupportedByKernel, backend: "nl80211", detail: reason,
        remedy: isCaptured
          ? "open local: on the machine itself" : "load the driver of the Wi-Fi device")
    case .refused(let refusal):
      let text = "\(refusal.place): \(SystemText.message(of: refusal.code))"
      let isForbidden = [SystemText.accessDenied, SystemText.notPermitted].contains(refusal.code)
      self.init(
        isForbidden ? .permissionDenied : .failed, backend: "nl80211", detail: text,
        errno: refusal.code, remedy: "allow this process sockets of generic netlink")
    case .failed(_, let text):
      self.init(
        .failed, backend: "nl80211", detail: text,
        remedy: "allow this process sockets of generic netlink")
    }
  }
}

extension Outcome {
  /// What an answer that did not come means for the values it would have held.
  static func from(_ error: NetlinkError) -> Outcome {
    switch error {
    case .missingLibrary(let missing): .failed(missing.reason, errno: missing.systemError.code)
    case .noFamily(let reason): .noData(reason)
    case .refused(let refusal): .from(refusal)
    case .failed(_, let text): .failed(text)
    }
  }
}
