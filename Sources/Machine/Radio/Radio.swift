public import Ground

/// Opens access to the machine's wireless interfaces: nl80211 on a live machine.
public protocol RadioAccess: Sendable {
  /// Opens a link without side effects: nothing is scanned, switched on or loaded.
  ///
  /// Throws what is missing: the library, or the family in the kernel.
  func open() throws(NetlinkError) -> any RadioLink
}

/// The kernel's data about wireless interfaces, named by their index.
///
/// A call may take as long as a driver does, at most about a second. Must not be used by two
/// threads at once. Values that the driver does not report are absent from an answer.
public protocol RadioLink: AnyObject {
  /// An interface: GET_INTERFACE. Throws ENODEV where there is none.
  func interface(_ index: UInt32) throws(NetlinkError) -> RadioInterface
  /// The network an interface belongs to, nil without one: the entry of GET_SCAN that is associated
  /// or joined. Reads the known entries; does not scan.
  func network(of index: UInt32) throws(NetlinkError) -> RadioNetwork?
  /// The stations an interface has a link to: GET_STATION. One's own access point, or all clients.
  func stations(of index: UInt32) throws(NetlinkError) -> [RadioStation]
  /// Whether an interface saves power: GET_POWER_SAVE. Throws EOPNOTSUPP where it never does.
  func savesPower(_ index: UInt32) throws(NetlinkError) -> Bool
}

/// An interface as nl80211 describes it, in the kernel's own counts.
public struct RadioInterface: Equatable, Sendable {
  /// The kernel's name.
  public var name: String
  /// The interface type, NL80211_IFTYPE_…
  public var type: UInt32
  /// The hardware address; empty if not reported.
  public var address: [UInt8] = []
  /// The network's name, of up to 32 bytes.
  public var ssid: [UInt8]?
  /// The centre of the primary channel in MHz.
  public var frequency: UInt32?
  /// The width of the channel, NL80211_CHAN_WIDTH_…
  public var width: UInt32?

  /// An interface of a name and a type.
  public init(_ name: String, type: UInt32) {
    self.name = name
    self.type = type
  }
}

/// The network an interface belongs to, in the kernel's own counts.
public struct RadioNetwork: Equatable, Sendable {
  /// Its BSSID.
  public var address: [UInt8]
  /// How the interface belongs to it, NL80211_BSS_STATUS_…: associated (1) or joined (2).
  public var status: UInt32
  /// Its signal in hundredths of dBm.
  public var signal: Int32?
  /// Its signal in a driver's own unit, 0 to 100.
  public var quality: UInt8?
  /// The capability field of its beacons.
  public var capability: UInt16?
  /// The information elements of its beacons or answers.
  public var elements: [UInt8] = []

  /// A network of an address.
  public init(_ address: [UInt8], status: UInt32 = 1) {
    self.address = address
    self.status = status
  }
}

/// A link to a station, in the kernel's own counts.
public struct RadioStation: Equatable, Sendable {
  /// Its hardware address.
  public var address: [UInt8]
  /// Whether it is associated, if the driver reports it.
  public var isAssociated: Bool?
  /// Whether the link goes past the access point (TDLS).
  public var isDirect = false
  /// The last signal in dBm, as the kernel packs it: a byte that has a sign.
  public var signal: UInt8?
  /// The rate last sent at, in 100 kbit/s.
  public var transmitRate: UInt32?
  /// The rate last received at, in 100 kbit/s.
  public var receiveRate: UInt32?
  /// The time since it connected, in seconds.
  public var connectedTime: UInt32?
  /// The time since something was received, in milliseconds.
  public var inactiveTime: UInt32?
  /// The bytes received from it.
  public var receivedBytes: UInt64?
  /// The bytes sent to it.
  public var sentBytes: UInt64?
  /// How often a packet was sent again.
  public var retries: UInt32?
  /// How many packets were given up.
  public var failures: UInt32?

  /// A station of an address.
  public init(_ address: [UInt8]) {
    self.address = address
  }
}

/// Why netlink gave no answer (sources E3).
public enum NetlinkError: Error, Equatable, Sendable {
  /// libnl is not there.
  case missingLibrary(MissingLibrary)
  /// The kernel has no such family; the reason in one clause.
  case noFamily(String)
  /// The kernel answered with an errno; ETIMEDOUT if it did not answer.
  case refused(SystemError)
  /// libnl gave up with one of its own codes, NLE_…, and a text.
  case failed(code: Int32, text: String)
}
