/// Replacements for parts of a machine, as given in the URI of a context.
public struct StandIns: Sendable {
  /// A libiio URI for the IIO devices; nil for the machine's own.
  public var iio: String?
  /// The address of a message bus for the system's; nil for the machine's own.
  public var bus: String?
  /// A PCM of ALSA for the microphones; nil for the machine's own.
  public var alsa: String?
  /// A gpsd or a receiver; nil for the machine's own.
  public var positions: PositionAccess?
  /// Where chronyd listens; nil for the machine's own.
  public var chrony: ServiceAddress?
  /// An upsd; nil for the machine's own.
  public var upsd: ServiceAccess?

  /// Stand-ins for some parts; the others are the machine's own.
  public init(
    iio: String? = nil, bus: String? = nil, alsa: String? = nil, positions: PositionAccess? = nil,
    chrony: ServiceAddress? = nil, upsd: ServiceAccess? = nil
  ) {
    self.iio = iio
    self.bus = bus
    self.alsa = alsa
    self.positions = positions
    self.chrony = chrony
    self.upsd = upsd
  }
}
