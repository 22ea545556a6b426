public import Ground

/// The switches of one input device (`linux/input-event-codes.h`, EV_SW).
public struct SwitchStates: Equatable, Sendable {
  /// Bit n is set when the device has switch n.
  public var present: UInt64
  /// Bit n is set when switch n is on.
  public var on: UInt64

  /// States as bit masks.
  public init(present: UInt64, on: UInt64) {
    self.present = present
    self.on = on
  }
}

/// Reads switch states: `EVIOCGSW` on a live machine, the side file `.gkit/switches` in a tree.
public protocol SwitchReader: Sendable {
  /// The switches on of an input device, named as the kernel names it (`event3`).
  func switchesOn(of eventDevice: String) throws(SystemError) -> UInt64
}

/// Switches that record which states are read from others.
public final class TracedSwitches: SwitchReader {
  private let inner: any SwitchReader
  private let noted = Monitor<[String: UInt64]>([:])

  /// Makes switches that record the reads from these.
  public init(_ inner: any SwitchReader) { self.inner = inner }

  /// The states that were read, by event device.
  public var states: [String: UInt64] { noted.withLock { $0 } }

  /// The switches of an event device that are on.
  public func switchesOn(of eventDevice: String) throws(SystemError) -> UInt64 {
    let mask = try inner.switchesOn(of: eventDevice)
    noted.withLock { $0[eventDevice] = mask }
    return mask
  }
}
