import Gathering
import Machine

extension Instance {
  /// The substitute for a missing sensor: a gps source, if one updates.
  static func gpsFallback(on machine: Machine) -> Instance? {
    guard PresentPosition.isPossible(on: machine) else { return nil }
    let isKnown = PresentPosition(on: machine).isKnown
    let availability: Availability =
      isKnown ? .ready("gps") : .noGPSUpdating
    return Instance("gps", label: "GPS", availability: availability, path: "gps")
  }

  /// Whether it is one that stands in.
  var isGPSFallback: Bool { path == "gps" }
}

extension Discovery {
  /// The same list or, if it is empty, the substitute.
  func orGPSFallback(on machine: Machine) -> Discovery {
    guard instances.isEmpty, let fallback = Instance.gpsFallback(on: machine) else { return self }
    return Discovery([fallback], orElse: absence)
  }
}

extension Availability {
  fileprivate static let noGPSUpdating = Availability(
    .searching, backend: "gps", detail: "no gps source is updating",
    remedy: "start a gps source in this context")
}

extension PresentPosition {
  /// The topics of all backends of gps sources, for every source that looks for one.
  static let topics: [ChangeTopic] = [
    PositionTopic.list, .bus(GeoClueDaemon.service), .bus(ModemDaemon.service),
  ]
}
