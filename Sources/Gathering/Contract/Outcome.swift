import Glibc
public import Ground
public import Values

/// How a value came out (sources 7).
public enum ValueStatus: UInt32, Sendable {
  /// Read and plausible.
  case ok = 0
  /// Nothing to say at the moment.
  case noData = 1
  /// The last payload, known to be outdated.
  case stale = 2
  /// We may not.
  case permission = 3
  /// This instance never has it.
  case unsupported = 4
  /// Asked and failed.
  case failed = 5

  /// Whether there is a payload with it.
  @inlinable public var hasPayload: Bool { self == .ok || self == .stale }

  /// Whether it tells what was read: a payload, or a reason that may quote it or follows from it.
  var showsContent: Bool { hasPayload || self == .failed || self == .noData }

  /// The word of the specification, as scripts and dictionaries spell it.
  public var word: String {
    switch self {
    case .ok: "ok"
    case .noData: "noData"
    case .stale: "stale"
    case .permission: "permission"
    case .unsupported: "unsupported"
    case .failed: "error"
    }
  }
}

/// Why there is no payload, or why the payload must not be trusted.
public final class Absence: Sendable, Equatable {
  /// One English clause.
  public let reason: String
  /// The errno behind it, or 0.
  public let errno: Int32
  /// The remedy; empty if there is none.
  public let remedy: String

  /// A reason with its errno and remedy.
  public init(_ reason: String, errno: Int32 = 0, remedy: String = "") {
    self.reason = reason
    self.errno = errno
    self.remedy = remedy
  }

  /// Whether both are equal.
  public static func == (left: Absence, right: Absence) -> Bool {
    left === right
      || (left.reason == right.reason && left.errno == right.errno && left.remedy == right.remedy)
  }
}

/// The result of reading one property: a payload, or the reason for its absence.
public struct Outcome: Equatable, Sendable {
  /// The payload; `.none` unless the status is ok or stale.
  public var value: Value
  /// How it came out.
  public var status: ValueStatus
  /// Whether it is estimated or incoherent (flag `lowAccuracy`).
  public var isLowAccuracy: Bool
  /// Why, unless all is well.
  public var absence: Absence?
  /// When it was so, if it was stamped (boot ns); otherwise the reading's own time counts.
  public var stamp: Int64?
  /// The clock of its time stamp: the kernel's, or the library's when a daemon's report arrived.
  public var stampOrigin = ClockOrigin.kernel
  /// What else its sample says: that it comes from a recording, or follows a time that nothing is
  /// known of (flags `replayed`, `gap`).
  public var marks: SampleFlags = []

  /// Whether it comes from a recording.
  public var isReplayed: Bool {
    get { marks.contains(.replayed) }
    set { marks = newValue ? marks.union(.replayed) : marks.subtracting(.replayed) }
  }

  /// A payload, taken as good.
  public static func ok(_ value: Value, lowAccuracy: Bool = false) -> Outcome {
    Outcome(value: value, status: .ok, isLowAccuracy: lowAccuracy)
  }

  /// Nothing to say at the moment.
  public static func noData(_ reason: String, errno: Int32 = 0, remedy: String = "") -> Outcome {
    Outcome(status: .noData, absence: Absence(reason, errno: errno, remedy: remedy))
  }

  /// This instance never has it.
  public static func unsupported(_ reason: String, errno: Int32 = 0) -> Outcome {
    Outcome(status: .unsupported, absence: Absence(reason, errno: errno))
  }

  /// Asked and failed.
  public static func failed(_ reason: String, errno: Int32 = 0) -> Outcome {
    Outcome(status: .failed, absence: Absence(reason, errno: errno))
  }

  /// Reading is not permitted; every such value has a remedy.
  public static func permission(_ reason: String, errno: Int32 = 0, remedy: String) -> Outcome {
    Outcome(status: .permission, absence: Absence(reason, errno: errno, remedy: remedy))
  }

  /// Before the first reading.
  public static let notRead = Outcome(status: .noData, absence: Absence("no reading yet"))
  /// A quantity over time after the first of two readings (sources I8).
  public static let needsTwoReadings = Outcome(
    status: .noData, absence: Absence("needs two readings"))

  /// An outcome of parts.
  public init(
    value: Value = .none, status: ValueStatus, isLowAccuracy: Bool = false,
    absence: Absence? = nil, stamp: Int64? = nil
  ) {
    self.value = value
    self.status = status
    self.isLowAccuracy = isLowAccuracy
    self.absence = absence
    self.stamp = stamp
  }

  /// Whether there is a payload.
  public var hasPayload: Bool { status.hasPayload }

  /// Whether another outcome says the same without a stamp: an absence for the same reason, or a
  /// good text.
  func isRepeated(by other: borrowing Outcome) -> Bool {
    guard stamp == nil, other.stamp == nil, status == other.status else { return false }
    if let reason = absence { return status != .stale && other.absence === reason }
    guard status == .ok, other.marks.isEmpty, isLowAccuracy == other.isLowAccuracy,
      case .string(var text) = value, case .string(var known) = other.value
    else { return false }
    return text.withUTF8 { left in
      known.withUTF8 { right in
        let count = left.count
        guard count == right.count else { return false }
        guard let left = left.baseAddress, let right = right.baseAddress else { return true }
        return memcmp(left, right, count) == 0
      }
    }
  }

  /// Its part of the flags of a sample.
  var flags: SampleFlags {
    marks.union(isLowAccuracy ? .lowAccuracy : [])
  }

  /// The outcome of a value for the errno of its file (sources E3).
  public static func from(_ error: SystemError) -> Outcome {
    let text = "\(error.place): \(SystemText.message(of: error.code))"
    switch error.code {
    case SystemText.noEntry, SystemText.noSystemCall, SystemText.notSupported:
      return .unsupported(text, errno: error.code)
    case SystemText.accessDenied, SystemText.notPermitted:
      let remedy = "give this user read access to \(error.place)"
      return .permission(text, errno: error.code, remedy: remedy)
    case SystemText.noDevice, SystemText.noDataAvailable, SystemText.tryAgain,
      SystemText.noDeviceOrAddress:
      return .noData(text, errno: error.code)
    default:
      return .failed(text, errno: error.code)
    }
  }
}
