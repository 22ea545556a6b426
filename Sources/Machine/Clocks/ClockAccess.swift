public import Ground

/// What can be asked about the time of a machine.
public struct ClockAccess: Sendable {
  /// The kernel's clock; nil if only files and devices can be read.
  public let kernel: (any KernelClock)?
  /// The clocks of devices; nil if there are none to be opened, as in a captured tree.
  public let hardware: (any HardwareClockOpener)?
  /// chronyd's port for commands; nil if it is not accessible, as for a captured tree.
  public let chrony: (any DatagramLink)?

  /// Access to clocks; without arguments, to none.
  public init(
    kernel: (any KernelClock)? = nil, hardware: (any HardwareClockOpener)? = nil,
    chrony: (any DatagramLink)? = nil
  ) {
    self.kernel = kernel
    self.hardware = hardware
    self.chrony = chrony
  }

  /// The clocks of this computer, and the chronyd at an address.
  public static func live(chrony: ServiceAddress) -> ClockAccess {
    ClockAccess(
      kernel: LiveKernelClock(), hardware: LiveHardwareClocks(), chrony: UDPLink(to: chrony))
  }

  /// The clock of a captured tree, and the chronyd at an address if there is one.
  public static func captured(
    in files: any FileTree, chrony: ServiceAddress? = nil
  ) -> ClockAccess {
    ClockAccess(kernel: CapturedClock(files: files), chrony: chrony.map { UDPLink(to: $0) })
  }
}

/// Reads the state of the kernel's clock: `adjtimex(2)` on a live machine, the side file
/// `.gkit/adjtimex` in a tree. Nothing is set.
public protocol KernelClock: Sendable {
  /// The numbers at this moment. Throws EPERM where a sandbox forbids the call, EOPNOTSUPP in a
  /// tree without the side file.
  func numbers() throws(SystemError) -> ClockNumbers
}

/// A number that `adjtimex(2)` gives, named as the kernel names it.
public enum ClockNumber: Int, CaseIterable, Sendable {
  /// The answer of the call: TIME_OK, TIME_INS …
  case state
  /// Bits: STA_PLL, STA_UNSYNC …
  case status
  /// What is still to be corrected, in ns with STA_NANO, else in µs.
  case offset
  /// The correction of the frequency, in 2^-16 ppm.
  case freq
  /// In µs.
  case maxerror, esterror
  /// A tick of a hundredth of a second, in µs.
  case tick
  /// Of the pulses, in ns with STA_NANO, else in µs.
  case jitter
  /// TAI − UTC in s.
  case tai

  /// The kernel's name.
  public var name: String { Self.names[rawValue] }

  private static let names = [
    "state", "status", "offset", "freq", "maxerror", "esterror", "tick", "jitter", "tai",
  ]
}

/// The state of a kernel's clock.
public struct ClockNumbers: Equatable, Sendable {
  /// One number of it.
  public enum Entry: Equatable, Sendable {
    case number(Int64)
    /// The side file has no line of it.
    case missing
    /// The side file has a line that holds no number.
    case malformed(String)
  }

  private var entries: [Entry]

  /// A state without numbers.
  public init() { entries = ClockNumber.allCases.map { _ in .missing } }

  /// One number of the state.
  public subscript(_ number: ClockNumber) -> Entry {
    get { entries[number.rawValue] }
    set { entries[number.rawValue] = newValue }
  }
}

/// A kernel's clock that records what is read of another one.
public final class TracedClock: KernelClock {
  private let inner: any KernelClock
  private let noted = Monitor<ClockNumbers?>(nil)

  /// Makes a clock that records the reads from this one.
  public init(_ inner: any KernelClock) { self.inner = inner }

  /// What was read last; nil if nothing was.
  public var last: ClockNumbers? { noted.withLock { $0 } }

  /// The numbers of the clock below.
  public func numbers() throws(SystemError) -> ClockNumbers {
    let numbers = try inner.numbers()
    noted.withLock { $0 = numbers }
    return numbers
  }
}

/// Opens the clocks of devices, `/dev/ptp0`.
public protocol HardwareClockOpener: Sendable {
  /// Opens a clock by the kernel's name, `ptp0`, for reading; the device is not touched.
  ///
  /// Throws EACCES, ENOENT.
  func open(clock: String) throws(SystemError) -> any HardwareClock
}

/// The clock of a device that is open.
public protocol HardwareClock: AnyObject {
  /// By how many nanoseconds it is ahead of CLOCK_REALTIME.
  func offset() throws(SystemError) -> Int64
}
