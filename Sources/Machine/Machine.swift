public import Ground

/// Everything the library may ask of Linux, as one value of small parts.
///
/// Above it only the doors touch the system. Each part is a protocol with a live version and one
/// that tests or captured trees use; paths are absolute and below `files`' root, so a folder can
/// stand for a whole machine.
public struct Machine: Sendable {
  /// How the machine is reached, which decides interval floors and missing mechanisms.
  public enum Nature: Sendable, Equatable {
    /// This computer.
    case live
    /// A captured tree: no bus, radio, sound or kernel events (sources C3, C4).
    case captured
    /// The IIO devices of another computer, and nothing else of it.
    case remote
  }

  /// Live, captured or remote.
  public let nature: Nature
  /// Files, links and file-system statistics.
  public let files: any FileTree
  /// What the kernel tells by itself; nil where nothing does, as in a captured tree.
  public let notices: (any ChangeNotices)?
  /// Boot time and wall time.
  public let clock: any TimeSource
  /// Switch states of input devices.
  public let switches: any SwitchReader
  /// Network addresses of interfaces; nil where only files can be asked.
  public let addresses: (any AddressReader)?
  /// IIO devices: their attributes and buffers.
  public let iio: IIOAccess
  /// The system's message bus; nil where there is none to be asked, as in a captured tree.
  public let bus: (any MessageBus)?
  /// How its position is asked for; nil where there is nothing to ask, as in a captured tree.
  public let positions: PositionAccess?
  /// What is kept with this machine while it is used.
  public let attachments = MachineAttachments()
  /// Wireless interfaces; nil where only files can be asked.
  public let radio: (any RadioAccess)?
  /// Sound to capture; nil where there is none, as in a captured tree (sources C3).
  public let sound: SoundAccess?
  /// Graphics cards to be asked what they show; nil where only files can be.
  public let displays: (any DisplayOpener)?

  /// A machine of the given parts; without `iio`, its devices are read from `files` and polled.
  public init(
    nature: Nature, files: any FileTree, notices: (any ChangeNotices)?,
    clock: any TimeSource, switches: any SwitchReader, addresses: (any AddressReader)?,
    iio: IIOAccess? = nil, bus: (any MessageBus)? = nil, positions: PositionAccess? = nil,
    radio: (any RadioAccess)? = nil, sound: SoundAccess? = nil,
    displays: (any DisplayOpener)? = nil
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
  }
}
