import Gathering
import Ground
import Machine
import Recording

/// What comes of machines and their sources.
extension FleetState {
  private mutating func noteChange(of name: String) {
    for key in devices[name]?.keys(of: name) ?? [] {
      changed.insert(key.kind)
      news.forget(key.kind)
    }
  }

  /// Takes the times of a message; what is to be said of its machine's wall clock may be news.
  private mutating func note(
    _ sent: Instant, of name: String, _ arrival: Instant, isRetained: Bool
  ) {
    guard var clock = devices[name]?.clock else { return }
    let before = clock.warning(of: name)
    clock.note(sent: sent, arrival: arrival, isRetained: isRetained)
    devices[name]?.clock = clock
    if clock.warning(of: name) != before { noteChange(of: name) }
  }

  /// Makes room for a machine. Throws where there are too many.
  private mutating func admit(_ name: String) throws(MessageFault) {
    if devices[name] != nil { return }
    guard devices.count < FleetJSON.deviceLimit else { throw .tooMany }
    devices[name] = FleetDevice()
  }

  /// A machine is there or not; nil for one that is forgotten.
  mutating func take(
    _ online: OnlineMessage?, of name: String, _ arrival: Instant, isRetained: Bool, at now: Int64
  ) throws(MessageFault) {
    if isRetained { prolong(from: now) }
    guard let online else {
      noteChange(of: name)
      devices[name] = nil
      return
    }
    try admit(name)
    let wasOnline = devices[name]?.isOnline
    devices[name]?.online = online
    if online.isOnline || wasOnline == true { devices[name]?.lastHeard = arrival.realtime }
    if online.isOnline, wasOnline != true { devices[name]?.returnedAt = now }
    if wasOnline != online.isOnline { noteChange(of: name) }
    seek(name, at: now)
  }

  /// What a broker has dropped of a machine comes if it is asked for by name (fleet F41).
  private mutating func seek(_ name: String, at now: Int64) {
    guard listing == .complete, devices[name]?.isHalf == true else { return }
    seeking.note(name, due: now + 4 * Self.quiet)
  }

  /// What a machine publishes; nil for one that publishes nothing any more.
  mutating func take(
    _ list: DeviceMessage?, of name: String, _ arrival: Instant, isRetained: Bool, at now: Int64
  ) throws(MessageFault) {
    if isRetained { prolong(from: now) }
    if list == nil, devices[name] == nil { return }
    try admit(name)
    noteChange(of: name)
    devices[name]?.list = list
    guard let list else { return }
    devices[name]?.clock.note(boot: list.boot)
    note(list.sent, of: name, arrival, isRetained: isRetained)
    noteChange(of: name)
  }

  /// What a source is; nil for one that is gone.
  mutating func take(
    _ about: AboutMessage?, of key: FleetKey, _ arrival: Instant, isRetained: Bool, at now: Int64
  ) throws(MessageFault) {
    if about == nil, devices[key.device] == nil { return }
    try admit(key.device)
    guard let place = devices.index(forKey: key.device) else { return }
    let known = devices.values[place].abouts[key]
    let count = devices.values[place].abouts.count
    guard about == nil || known != nil || count < FleetJSON.sourceLimit else { throw .tooMany }
    devices.values[place].abouts[key] = about
    if known?.series != about?.series {
      changed.insert(key.kind)
      news.note(key)
    }
    if let about {
      note(about.sent, of: key.device, arrival, isRetained: isRetained)
    }
    prolongQuestion(of: key.device, from: now)
  }

  /// A state has come: the streams that are to get it, what is added to boot times, and whether
  /// rows come as well.
  mutating func take(
    _ message: StateMessage, of key: FleetKey, _ arrival: Instant, isRetained: Bool
  ) throws(MessageFault) -> (streams: [FleetStream], shift: Int64, hasRows: Bool) {
    try admit(key.device)
    note(message.sent, of: key.device, arrival, isRetained: isRetained)
    let shift = devices[key.device]?.clock.shift ?? 0
    guard let known = held[key] else { return ([], shift, false) }
    held[key]?.state = message
    isAwaited = true
    return (known.streams, shift, devices[key.device]?.abouts[key]?.hasRows ?? false)
  }

  /// The same of rows, and what their series is.
  mutating func take(
    _ message: ReceivedRows, of key: FleetKey, _ arrival: Instant, isRetained: Bool
  ) throws(MessageFault) -> (streams: [FleetStream], shift: Int64, series: RecordedSeries) {
    try admit(key.device)
    note(message.sent, of: key.device, arrival, isRetained: isRetained)
    let device = devices[key.device]
    guard let series = message.series ?? device?.abouts[key]?.series else { throw .notDescribed }
    return (held[key]?.streams ?? [], device?.clock.shift ?? 0, series)
  }
}
