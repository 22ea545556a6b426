/// A daemon with a line protocol over TCP: its address, and the link to it.
public struct ServiceAccess: Sendable {
  /// Where it listens.
  public let address: ServiceAddress
  /// The way to it.
  public let link: any LineLink
  /// The ports of the computer a local address means.
  public let ports: ListeningPorts

  /// Access to a daemon.
  public init(address: ServiceAddress, link: any LineLink, ports: ListeningPorts) {
    self.address = address
    self.link = link
    self.ports = ports
  }

  /// Access from this computer.
  public static func live(_ address: ServiceAddress) -> ServiceAccess {
    ServiceAccess(
      address: address, link: DescriptorLink(to: address), ports: .live)
  }
}

extension ServiceAccess {
  /// Access to an upsd from this computer.
  public static func upsd(_ address: ServiceAddress) -> ServiceAccess {
    ServiceAccess(
      address: address, link: DescriptorLink(toUpsd: address), ports: .live)
  }
}

/// A receiver of satellite signals on a port of its own.
public struct ReceiverAccess: Sendable {
  /// The path of its device.
  public let device: String
  /// The way to it.
  public let link: any LineLink

  /// Access to a device.
  public init(device: String, link: any LineLink) {
    self.device = device
    self.link = link
  }

  /// Access to a device of this computer.
  public static func live(_ device: String) -> ReceiverAccess {
    ReceiverAccess(device: device, link: DescriptorLink(device: device))
  }
}

/// Access to the position services of a machine.
public struct PositionAccess: Sendable {
  /// gpsd; nil if it is not accessible, as for a captured tree.
  public let gpsd: ServiceAccess?
  /// A receiver to be read where no gpsd runs.
  public let receiver: ReceiverAccess?

  /// Access to a gpsd and, failing that, to a receiver.
  public init(gpsd: ServiceAccess?, receiver: ReceiverAccess? = nil) {
    self.gpsd = gpsd
    self.receiver = receiver
  }

  /// This computer's own gpsd at its default address.
  public static let own = PositionAccess(gpsd: .live(.gpsd))
}
