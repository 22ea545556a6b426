import Gathering
import Ground
import Values

/// What names a source of a fleet.
struct FleetKey: Hashable, Sendable {
  let device: String
  let kind: String
  let instance: String

  /// The source that a topic is about; nil for one about a machine.
  init?(_ topic: FleetTopic) {
    guard case .source(let kind, let instance, _) = topic.subject else { return nil }
    self.init(device: topic.device, kind: kind, instance: instance)
  }

  init(device: String, kind: String, instance: String) {
    (self.device, self.kind, self.instance) = (device, kind, instance)
  }

  /// The topic of what is told of it.
  func topic(_ what: FleetTopic.What) -> FleetTopic {
    FleetTopic(device: device, subject: .source(kind: kind, instance: instance, what))
  }
}

/// What is known of one machine.
struct FleetDevice: Sendable {
  /// Whether what its sources are was asked for.
  enum Asking: Sendable {
    case not, waits
    /// Until nothing has come for a while.
    case asked(quietAt: Int64)
    case done
  }

  var online: OnlineMessage?
  var list: DeviceMessage?
  var abouts: [FleetKey: AboutMessage] = [:]
  var asking = Asking.not
  var clock = BootOffset()
  /// When it came online last, on CLOCK_MONOTONIC.
  var returnedAt: Int64 = 0
  /// When it was last heard of, on CLOCK_REALTIME.
  var lastHeard: Int64 = 0

  /// Whether it was ever asked what its sources are.
  var isAsked: Bool { if case .not = asking { false } else { true } }

  /// Whether it is there, by its own word or the broker's.
  var isOnline: Bool { online?.isOnline ?? false }

  /// Whether one of the two messages that make a machine known is missing.
  var isHalf: Bool { (online == nil) != (list == nil) }

  /// The keys of all its sources and streams.
  func keys(of device: String) -> [FleetKey] {
    let sources = list?.sources.map {
      FleetKey(device: device, kind: $0.kind, instance: $0.instance)
    }
    let streams = list?.streams.map {
      FleetKey(device: device, kind: FleetTopic.streamKind, instance: $0)
    }
    return (sources ?? []) + (streams ?? [])
  }

  /// Whether it is known what all its sources are.
  func isDescribed(as device: String) -> Bool {
    list != nil && keys(of: device).allSatisfy { abouts[$0] != nil }
  }

  /// Why its sources have no values at present; nil while it is there.
  func absence(of device: String) -> Availability? {
    if isOnline { return nil }
    let since = lastHeard > 0 ? " since \(Value.time(lastHeard).formatted())" : ""
    return Availability(
      .disconnected, backend: "mqtt", detail: "\(device) is offline\(since)",
      remedy: "start its publisher again, or connect it")
  }
}
