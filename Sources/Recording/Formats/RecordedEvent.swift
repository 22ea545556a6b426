public import Gathering
public import Ground
package import Values

/// Something that happened to a series while it was recorded.
public struct RecordedEvent: Equatable, Sendable {
  /// What happened.
  public enum What: String, Sendable {
    case started, stopped, failedToStart, permissionRequested, availabilityChanged, added, removed
    /// Rows were lost: the disk did not keep up, or a part of the file was damaged.
    case lost
  }

  /// The number of the series; nil for a loss whose series is unknown.
  public var series: UInt32?
  /// What happened.
  public var what: What
  /// When the recorder received it.
  public var instant: Instant
  /// How many rows were lost.
  public var rows: Int64 = 0
  /// The error that ended it, or refused the start, or why rows were lost; empty if there was none.
  public var message = ""
  /// The errno of that, or 0.
  public var errno: Int32 = 0
  /// The new availability.
  public var availability: Availability?

  package init(_ series: UInt32?, _ what: What, at instant: Instant) {
    self.series = series
    self.what = what
    self.instant = instant
  }

  package init(_ series: UInt32, _ event: SourceEvent.What, at instant: Instant) {
    self.init(series, What.started, at: instant)
    switch event {
    case .added: what = .added
    case .removed: what = .removed
    case .started: what = .started
    case .permissionRequested: what = .permissionRequested
    case .lost(let error):
      what = .lost
      note(error)
    case .stopped(let error):
      what = .stopped
      note(error)
    case .failedToStart(let error):
      what = .failedToStart
      note(error)
    case .availabilityChanged(let availability):
      what = .availabilityChanged
      self.availability = availability
    }
  }

  private mutating func note(_ error: SourceError?) {
    message = error?.message ?? ""
    errno = error?.errno ?? 0
    if case .unavailable(let why)? = error { availability = why }
  }
}

extension RecordedEvent {
  package var dictionary: ValueDictionary {
    var facts: ValueDictionary = [
      "event": .string(what.rawValue), "boot": .int(instant.boot),
      "realtime": .int(instant.realtime),
    ]
    facts["series"] = series.map { .int(Int64($0)) }
    if rows > 0 { facts["rows"] = .int(rows) }
    if !message.isEmpty { facts["message"] = .string(message) }
    if errno != 0 { facts["errno"] = .int(Int64(errno)) }
    facts["availability"] = availability.map { .dictionary($0.dictionary) }
    return facts
  }

  /// An event from its description in a block; nil if that is incomplete, or of a later version.
  package init?(_ facts: ValueDictionary) {
    guard let what = facts["event"]?.text.flatMap(What.init), let boot = facts["boot"]?.whole,
      let realtime = facts["realtime"]?.whole
    else { return nil }
    let number = facts["series"]?.whole.flatMap { UInt32(exactly: $0) }
    guard number != nil || (what == .lost && facts["series"] == nil) else { return nil }
    self.init(number, what, at: Instant(boot: boot, realtime: realtime))
    rows = facts["rows"]?.whole ?? 0
    message = facts["message"]?.text ?? ""
    errno = Int32(truncatingIfNeeded: facts["errno"]?.whole ?? 0)
    if case .dictionary(let members)? = facts["availability"] {
      availability = Availability(members)
    }
  }
}
