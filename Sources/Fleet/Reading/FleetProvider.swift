import Gathering
import Ground
import Machine
import Recording
import Values

/// Finds and reads the sources of the machines that publish below one root.
final class FleetProvider: InstanceProvider {
  let keepsValuesOfAbsent = true
  /// Changes come with messages, subscribed or not.
  let tellsForFree = true
  private let link: FleetLink

  init(_ link: FleetLink) { self.link = link }

  deinit { link.close() }

  var mechanisms: [Mechanism] {
    let failure = link.state.withLock { $0.failure }
    return [
      Mechanism(
        name: "mqtt", version: failure == nil ? link.address.broker.text : "",
        reason: failure?.reason ?? "", remedy: failure?.remedy ?? "")
    ]
  }

  /// The kinds of a catalogue, and those that machines publish besides.
  func kinds(_ catalogue: [any SourceKind]) -> [any SourceKind] {
    let own = catalogue.map(\.kind)
    let published = link.state.withLock { state in
      Set(state.devices.values.flatMap { $0.list?.sources.map(\.kind) ?? [] })
    }
    let others = published.subtracting(own).subtracting([FleetTopic.streamKind]).sorted()
    let all =
      catalogue.map { FleetKind($0) } + others.map { FleetKind(unknown: $0) } + [FleetKind.stream]
    return all.filter { link.address.kinds?.contains($0.kind) ?? true }
  }

  func describe(_ id: SourceIdentifier) throws(SourceError) {
    if let device = id.device {
      let others = link.state.withLock { state in
        state.devices[device] != nil || !state.wasListed ? [] : state.devices.keys.sorted()
      }
      guard others.isEmpty else {
        throw .notFound(Nearest.sentence(to: device, among: others, what: "machine"))
      }
      return link.describe(device)
    }
    let name = link.state.withLock { state -> String? in
      let keys = state.order.flatMap { state.devices[$0]?.keys(of: $0) ?? [] }
        .filter { $0.kind == id.kind && (id.instance == nil || $0.instance == id.instance) }
      return keys.first?.device
    }
    if let name { link.describe(name) }
  }

  func discover(_ kind: any SourceKind) -> Discovery {
    link.state.withLock { state in
      state.news.tell(kind.kind)
      let order = state.news.order ?? state.order
      state.news.order = order
      let found = order.flatMap { name -> [Instance] in
        state.devices[name].map { instances(of: kind, on: name, $0, state) } ?? []
      }
      let nothing = Availability(
        .noHardware, backend: "mqtt", detail: "no machine publishes \(kind.kind)")
      return Discovery(found, orElse: state.absence ?? nothing)
    }
  }

  func changes(of kind: any SourceKind, around id: SourceIdentifier?) -> [Instance]? {
    link.state.withLock { state in
      guard var keys = state.news.take(kind.kind) else { return nil }
      if let id, let device = id.device, let own = id.instance {
        keys.insert(FleetKey(device: device, kind: kind.kind, instance: own))
      }
      return keys.compactMap { key in
        state.devices[key.device].flatMap { device in
          instances(of: kind, on: key.device, device, state, only: key.instance).first
        }
      }
    }
  }

  /// The instances of a kind on a machine, or only the one of a name.
  private func instances(
    of kind: any SourceKind, on name: String, _ device: FleetDevice, _ state: FleetState,
    only own: String? = nil
  ) -> [Instance] {
    let absence = state.absence ?? device.absence(of: name)
    if kind.kind == FleetTopic.streamKind {
      let there = Availability(.available, backend: "mqtt")
      return (device.list?.streams ?? []).filter { own == nil || $0 == own }.map {
        let key = FleetKey(device: name, kind: kind.kind, instance: $0)
        return instance(key, $0, of: kind, device, absence ?? there, state.missing[key])
      }
    }
    guard let sources = device.list?.sources else { return [] }
    var found: [Instance] = []
    // Most are of other kinds, and are not copied.
    for place in sources.indices
    where sources[place].kind == kind.kind && (own == nil || sources[place].instance == own) {
      let listed = sources[place]
      let key = FleetKey(device: name, kind: kind.kind, instance: listed.instance)
      found.append(
        instance(
          key, listed.label, of: kind, device, absence ?? listed.availability, state.missing[key]))
    }
    return found
  }

  private func instance(
    _ key: FleetKey, _ label: String, of kind: any SourceKind, _ device: FleetDevice,
    _ availability: Availability, _ missing: Int?
  ) -> Instance {
    let (name, own) = (key.device, key.instance)
    var availability = availability
    let warning = device.clock.warning(of: name)
    if availability.state == .available, availability.detail.isEmpty {
      availability.detail = warning
    }
    var instance = Instance(
      DeviceName.name(of: own, on: name), label: label, aliases: [own], availability: availability,
      path: name, isMember: false)
    if let properties = device.abouts[key]?.series.properties, !properties.isEmpty {
      instance.properties = properties
    }
    instance.notes["device"] = name
    if let missing { instance.notes["missing_blocks"] = String(missing) }
    if let skew = device.clock.skew { instance.notes["clock_offset_ns"] = String(skew) }
    return instance
  }

  func claim(
    _ instance: Instance, of kind: any SourceKind
  ) throws(SourceError) -> sending (any InstanceReader)? {
    guard let device = instance.notes["device"], let own = instance.aliases.first else {
      throw .unavailable(instance.availability)
    }
    let key = FleetKey(device: device, kind: kind.kind, instance: own)
    return FleetReader(key, table: instance.properties ?? kind.properties, link: link)
  }

  func write(
    _ value: Value, toPropertyAt index: Int, of instance: Instance, of kind: any SourceKind
  ) throws(SourceError) {
    throw .notSupported("a fleet is read only: a property is set on its own machine")
  }

  /// The publisher's interval, also while nothing comes of it: values that are stale are told no
  /// oftener than they were new.
  func floor(of instance: Instance, of kind: any SourceKind) -> (interval: Int64, reason: String) {
    guard let device = instance.notes["device"], let own = instance.aliases.first else {
      return (kind.intervals.minimum, "the library's minimum")
    }
    let interval = link.interval(
      of: FleetKey(device: device, kind: kind.kind, instance: own))
    return (interval > 0 ? interval : 1_000_000_000, "the publisher's interval")
  }

  func beginWatching(
    _ kind: any SourceKind, besides ticks: @escaping @Sendable () -> Int64?,
    changed: @escaping @Sendable (Change) -> Void
  ) -> [any Cancellable] {
    [FleetWatch(link: link, number: link.watch(kind.kind, changed))]
  }
}

private struct FleetWatch: Cancellable {
  weak let link: FleetLink?
  let number: UInt64

  func cancel() { link?.endWatch(number) }
}
