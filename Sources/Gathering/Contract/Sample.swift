package import CGatheredKit
import Ground
public import Values

/// One timed value of one property, as listeners get it (sources 7 and 8).
///
/// It is a row of the C interface and what that points to, so that a number goes from stream to
/// stream, and out to C, as bytes.
public struct Sample: Equatable, Sendable {
  // The 80 bytes of a row come first and in its order, without source and property. A container has
  // no handle, and a text without memory no pointer. The compiler would copy a `gkit_sample` field
  // by field or by a string instruction; it copies these vectors by a few moves.

  /// `time_ns` and `boot_ns`.
  @usableFromInline var times: SIMD2<Int64>
  /// `sequence`; `source` and `property`.
  @usableFromInline var numbers: SIMD2<UInt64>
  /// `status`, `flags`; the value's `type` and `count`.
  @usableFromInline var state: SIMD4<UInt32>
  /// The value: its one word, or the first two of a vector.
  @usableFromInline var low: SIMD2<UInt64>
  /// The last two words of a vector.
  @usableFromInline var high: SIMD2<UInt64>
  /// What the row points to, or has no room for: a `LentText`, a `KeptPayload`, an `Absence`.
  @usableFromInline var owner: (any AnyObject & Sendable)?
  /// The clock that stamped it.
  public var clockOrigin: ClockOrigin

  /// The payload; `.none` unless the status is ok or stale.
  public var value: Value {
    @inlinable get {
      switch state[2] {
      case TypeNumber.double: .double(Double(bitPattern: low[0]))
      case TypeNumber.int: .int(Int64(bitPattern: low[0]))
      default: otherValue
      }
    }
    set { put(newValue, absence) }
  }

  /// How it came out.
  public var status: ValueStatus {
    @inlinable get { ValueStatus(rawValue: state[0]) ?? .noData }
    set { state[0] = newValue.rawValue }
  }

  /// New, after a gap, replayed, of low accuracy.
  public var flags: SampleFlags {
    @inlinable get { SampleFlags(rawValue: state[1]) }
    set { state[1] = newValue.rawValue }
  }

  /// Counts the new values of the property, from 1; 0 before the first.
  public var sequence: UInt64 {
    @inlinable get { numbers[0] }
    set { numbers[0] = newValue }
  }

  /// When it was so, on CLOCK_BOOTTIME, in nanoseconds.
  public var time: Int64 {
    @inlinable get { times[1] }
    set { times[1] = newValue }
  }

  /// The same instant on CLOCK_REALTIME.
  public var realtime: Int64 {
    @inlinable get { times[0] }
    set { times[0] = newValue }
  }

  /// Why there is no payload, unless there is one.
  public var absence: Absence? {
    get {
      switch owner {
      case nil: nil
      case let absence as Absence: absence
      case let kept as KeptPayload: kept.absence
      default: nil
      }
    }
    set { put(value, newValue) }
  }

  /// The payload if the status is ok: the convenience accessor of sources V6.
  public var payload: Value? { status == .ok ? value : nil }

  /// Makes a sample from a payload and its times, as patches and streams carry it.
  ///
  /// Times of 0 mean a sample without time stamps.
  public init(
    _ value: Value, status: ValueStatus = .ok, flags: SampleFlags = .isNew, time: Int64 = 0,
    realtime: Int64 = 0, sequence: UInt64 = 0, absence: Absence? = nil
  ) {
    self.init(
      value, status: status, flags: flags, clockOrigin: .library, time: time, realtime: realtime,
      sequence: sequence, absence: absence)
  }

  /// Makes a sample that a clock of some origin stamped.
  package init(
    _ value: Value, status: ValueStatus, flags: SampleFlags, clockOrigin: ClockOrigin,
    time: Int64, realtime: Int64, sequence: UInt64, absence: Absence?
  ) {
    times = SIMD2(realtime, time)
    numbers = SIMD2(sequence, 0)
    state = SIMD4(status.rawValue, flags.rawValue, 0, 0)
    (low, high) = (SIMD2(), SIMD2())
    owner = nil
    self.clockOrigin = clockOrigin
    put(value, absence)
  }

  /// Makes a new sample without times of one number: a double, an integer or a moment.
  @inlinable
  package init(number bits: UInt64, of type: UInt32) {
    (times, numbers) = (SIMD2(), SIMD2())
    state = SIMD4(0, SampleFlags.isNew.rawValue, type, 0)
    (low, high) = (SIMD2(bits, 0), SIMD2())
    owner = nil
    clockOrigin = .library
  }

  /// The same of a value of C; nil if that is none of these.
  @inline(__always)
  package init?(number value: gkit_value) {
    guard TypeNumber.isOfOneWord(value.type) else { return nil }
    self.init(number: UInt64(bitPattern: value.as.integer), of: value.type)
  }

  /// Makes the sample of a row with what that points to: the text of a `LentText`.
  init(
    _ row: UnsafePointer<Row>, clockOrigin: ClockOrigin, owner: (any AnyObject & Sendable)?
  ) {
    let row = UnsafeRawPointer(row)
    times = row.loadUnaligned(as: SIMD2<Int64>.self)
    numbers = SIMD2(row.loadUnaligned(fromByteOffset: 16, as: UInt64.self), 0)
    state = row.loadUnaligned(fromByteOffset: 32, as: SIMD4<UInt32>.self)
    low = row.loadUnaligned(fromByteOffset: 48, as: SIMD2<UInt64>.self)
    high = row.loadUnaligned(fromByteOffset: 64, as: SIMD2<UInt64>.self)
    self.owner = owner
    self.clockOrigin = clockOrigin
  }

  /// Whether both are equal.
  public static func == (left: Sample, right: Sample) -> Bool {
    left.status == right.status && left.flags == right.flags && left.sequence == right.sequence
      && left.times == right.times && left.clockOrigin == right.clockOrigin
      && left.value == right.value && left.absence == right.absence
  }

  // MARK: As a row

  /// Whether its row can be lent as it is: not that of a container or of a text without memory.
  @inlinable @inline(__always)
  package var isWholeRow: Bool {
    // Pointers lie where numbers do.
    state[2] < TypeNumber.string || state[2] == TypeNumber.time || low[0] != 0
  }

  /// Calls with the row, which points to what this sample keeps.
  @inline(__always)
  package func lend<Answer>(_ body: (UnsafePointer<Row>) -> Answer) -> Answer {
    withUnsafePointer(to: self) {
      body(UnsafeRawPointer($0).assumingMemoryBound(to: Row.self))
    }
  }

  /// Gives it its times.
  @inlinable @inline(__always)
  package mutating func stamp(time: Int64, realtime: Int64) {
    times = SIMD2(realtime, time)
  }

  /// Takes the times and flags of what it was made of.
  @inline(__always)
  mutating func follow(_ cause: Sample) {
    times = cause.times
    state[1] = cause.state[1]
  }

  /// The payload that is neither a double nor an integer.
  @usableFromInline var otherValue: Value {
    switch ValueType(rawValue: state[2]) {
    case .bool: return .bool(low[0] & 0xFF != 0)
    case .time: return .time(Int64(bitPattern: low[0]))
    case .vector: return vector.map(Value.vector) ?? .none
    case .string, .bytes, .dictionary, .list:
      return switch owner {
      case let text as LentText: text.value
      case let kept as KeptPayload: kept.value
      default: .none
      }
    case .int, .double, ValueType.none?, nil: return .none
    }
  }

  private var vector: Vector? {
    let (x, y) = (Double(bitPattern: low[0]), Double(bitPattern: low[1]))
    let (z, w) = (Double(bitPattern: high[0]), Double(bitPattern: high[1]))
    return switch state[3] {
    case 2: Vector(x, y)
    case 3: Vector(x, y, z)
    case 4: Vector(x, y, z, w)
    default: nil
    }
  }

  private mutating func put(_ value: Value, _ absence: Absence?) {
    state[2] = value.type.rawValue
    state[3] = 0
    owner = absence
    switch value {
    case .double(let number): low[0] = number.bitPattern
    case .int(let number), .time(let number): low[0] = UInt64(bitPattern: number)
    case .none: low[0] = 0
    case .bool(let flag): low[0] = flag ? 1 : 0
    case .vector(let vector):
      state[3] = UInt32(vector.count)
      low = SIMD2(vector.x.bitPattern, vector.y.bitPattern)
      high = SIMD2((vector.z ?? 0).bitPattern, (vector.w ?? 0).bitPattern)
    case .string, .bytes, .dictionary, .list: keep(value, absence)
    }
  }

  private mutating func keep(_ value: Value, _ absence: Absence?) {
    let text = LentText(value)
    low[0] = UInt64(UInt(bitPattern: text?.start))
    if let text { state[3] = UInt32(clamping: text.count) }
    if let text, absence == nil {
      owner = text
    } else {
      owner = KeptPayload(value, text, absence)
    }
  }

  /// Before any reading.
  static let notRead = Sample(.notRead)

  /// An outcome that was never read.
  init(_ outcome: Outcome) {
    self.init(
      outcome.value, status: outcome.status, flags: outcome.flags, absence: outcome.absence)
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
    if isNews { sequence &+= 1 }
    put(outcome.value, outcome.absence)
    status = outcome.status
    flags = outcome.flags
    clockOrigin = outcome.stamp == nil ? .library : outcome.stampOrigin
    time = moment.boot
    realtime = moment.realtime
    return true
  }
}
