/// Traits of a sample besides its value.
public struct SampleFlags: OptionSet, Hashable, Sendable {
  /// The mask.
  public let rawValue: UInt32
  /// Flags of a raw mask, as the C header numbers them.
  @inlinable
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Its sequence or status differs from this session's previous update.
  @inlinable public static var isNew: SampleFlags { SampleFlags(rawValue: 1) }
  /// Something before it was lost.
  @inlinable public static var gap: SampleFlags { SampleFlags(rawValue: 2) }
  /// It comes from a recording.
  @inlinable public static var replayed: SampleFlags { SampleFlags(rawValue: 4) }
  /// It is estimated or incoherent.
  @inlinable public static var lowAccuracy: SampleFlags { SampleFlags(rawValue: 8) }
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
