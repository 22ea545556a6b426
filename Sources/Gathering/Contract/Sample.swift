import Ground
public import Values

/// One timed value of one property, as listeners get it (sources 7 and 8).
public struct Sample: Equatable, Sendable {
  /// The payload; `.none` unless the status is ok or stale.
  public var value: Value
  /// How it came out.
  public var status: ValueStatus
  /// New, after a gap, replayed, of low accuracy.
  public var flags: SampleFlags
  /// The clock that stamped it.
  public var clockOrigin: ClockOrigin
  /// Counts the new values of the property, from 1; 0 before the first.
  public var sequence: UInt64
  /// When it was so, on CLOCK_BOOTTIME, in nanoseconds.
  public var time: Int64
  /// The same instant on CLOCK_REALTIME.
  public var realtime: Int64
  /// Why there is no payload, unless there is one.
  public var absence: Absence?

  /// The payload if the status is ok: the convenience accessor of sources V6.
  public var payload: Value? { status == .ok ? value : nil }

  /// Makes a sample from a payload and its times, as patches and streams carry it.
  ///
  /// Times of 0 mean a sample without time stamps.
  @inlinable
  public init(
    _ value: Value, status: ValueStatus = .ok, flags: SampleFlags = .isNew, time: Int64 = 0,
    realtime: Int64 = 0, sequence: UInt64 = 0, absence: Absence? = nil
  ) {
    self.value = value
    self.status = status
    self.flags = flags
    clockOrigin = .library
    self.sequence = sequence
    self.time = time
    self.realtime = realtime
    self.absence = absence
  }

  /// Makes a sample that a clock of some origin stamped.
  @inlinable
  package init(
    _ value: Value, status: ValueStatus, flags: SampleFlags, clockOrigin: ClockOrigin,
    time: Int64, realtime: Int64, sequence: UInt64, absence: Absence?
  ) {
    self.value = value
    self.status = status
    self.flags = flags
    self.clockOrigin = clockOrigin
    self.sequence = sequence
    self.time = time
    self.realtime = realtime
    self.absence = absence
  }

  /// Before any reading.
  static let notRead = Sample(.notRead)

  /// An outcome that was never read.
  init(_ outcome: Outcome) {
    value = outcome.value
    status = outcome.status
    flags = outcome.flags
    clockOrigin = .library
    sequence = 0
    time = 0
    realtime = 0
    absence = outcome.absence
  }

  /// Takes over a freshly read outcome; its sequence advances if it is news for its mode.
  ///
  /// A reading stamped before its predecessor is refused (sources V12): the answer is false.
  mutating func take(_ outcome: Outcome, mode: ReportingMode, at instant: Instant) -> Bool {
    var moment = instant
    if let stamp = outcome.stamp {
      moment.realtime += stamp - moment.boot
      moment.boot = stamp
    }
    if moment.boot < time { return false }
    let statusDiffers = status != outcome.status
    // A report that was already known is no new reading, however often it is read.
    let isKnown =
      outcome.stamp == time && outcome.stampOrigin == .library && value == outcome.value
    let isNews =
      mode == .continuous
      ? (outcome.hasPayload && !isKnown) || statusDiffers || sequence == 0
      : statusDiffers || value != outcome.value || sequence == 0
    if isNews { sequence += 1 }
    value = outcome.value
    status = outcome.status
    absence = outcome.absence
    flags = outcome.flags
    clockOrigin = outcome.stamp == nil ? .library : outcome.stampOrigin
    time = moment.boot
    realtime = moment.realtime
    return true
  }
}

/// Traits of a sample besides its value.
public struct SampleFlags: OptionSet, Hashable, Sendable {
  /// The mask.
  public let rawValue: UInt32
  /// Flags of a raw mask, as the C header numbers them.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Its sequence or status differs from this session's previous update.
  public static let isNew = SampleFlags(rawValue: 1)
  /// Something before it was lost.
  public static let gap = SampleFlags(rawValue: 2)
  /// It comes from a recording.
  public static let replayed = SampleFlags(rawValue: 4)
  /// It is estimated or incoherent.
  public static let lowAccuracy = SampleFlags(rawValue: 8)
}

/// The clock that stamped a sample (sources V11).
public enum ClockOrigin: String, Sendable {
  /// The device's, translated.
  case hardware
  /// The driver's or the kernel's.
  case kernel
  /// Ours: the middle of the clock readings around the read.
  case library
}
