public import Ground

/// Everything the library may read from or request of Linux, as one object of small parts.
///
/// Above it only the interfaces to other languages touch the system. Each part is a protocol with a
/// live implementation and one for tests or captured trees. Paths are absolute and below the root
/// of `files`, so a folder can represent a whole machine.
public final class Machine: Sendable {
  /// How the machine is reached, which decides interval floors and missing mechanisms.
  public enum Nature: Sendable, Equatable {
    /// This computer.
    case live
    /// A captured tree: no bus, radio, sound or kernel events (sources C3, C4).
    case captured
    /// The IIO devices of another computer only.
    case remote
  }

  /// Live, captured or remote.
  public let nature: Nature
  /// Files, links and file-system statistics.
  public let files: any FileTree
  /// Change notices of the kernel; nil if there are none, as in a captured tree.
  public let notices: (any ChangeNotices)?
  /// Boot time and wall time.
  public let clock: any TimeSource
  /// Switch states of input devices.
  public let switches: any SwitchReader
  /// Network addresses of interfaces; nil if only files can be read.
  public let addresses: (any AddressReader)?
  /// IIO devices: their attributes and buffers.
  public let iio: IIOAccess
  /// The system's message bus; nil if there is none, as in a captured tree.
  public let bus: (any MessageBus)?
  /// Access to its position services; nil if there are none, as in a captured tree.
  public let positions: PositionAccess?
  /// upsd, which tells of uninterruptible power supplies; nil if it is not accessible, as for a
  /// captured tree.
  public let upsd: ServiceAccess?
  /// Objects kept with this machine while it is used.
  public let attachments = MachineAttachments()
  /// Wireless interfaces; nil if only files can be read.
  public let radio: (any RadioAccess)?
  /// Sound capture; nil if there is none, as in a captured tree (sources C3).
  public let sound: SoundAccess?
  /// Graphics cards and their modes; nil if only files can be read.
  public let displays: (any DisplayOpener)?
  /// The kernel's clock, hardware clocks and the daemon that sets the time.
  public let clocks: ClockAccess
  /// The cards of NVIDIA's driver; nil if only files can be read.
  public let nvidia: (any NvidiaCards)?

  /// A machine of the given parts; without `iio`, its devices are read from `files` and polled.
  public init(
    nature: Nature, files: any FileTree, notices: (any ChangeNotices)?,
    clock: any TimeSource, switches: any SwitchReader, addresses: (any AddressReader)?,
    iio: IIOAccess? = nil, bus: (any MessageBus)? = nil, positions: PositionAccess? = nil,
    radio: (any RadioAccess)? = nil, sound: SoundAccess? = nil,
    displays: (any DisplayOpener)? = nil, clocks: ClockAccess = ClockAccess(),
    upsd: ServiceAccess? = nil, nvidia: (any NvidiaCards)? = nil
  ) {
    self.nature = nature
    self.files = files
    self.notices = notices
    self.clock = clock
    self.switches = switches
    self.addresses = addresses
    self.bus = bus
    self.iio = iio ?? IIOAccess(files: files, scans: nil, mayBlock: nature != .captured)
    self.positions = positions
    self.radio = radio
    self.sound = sound
    self.displays = displays
    self.clocks = clocks
    self.upsd = upsd
    self.nvidia = nvidia
  }
}
