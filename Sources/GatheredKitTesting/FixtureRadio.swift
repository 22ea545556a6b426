import Glibc
import Ground
public import Machine

/// Wireless interfaces that a test makes up, changes and breaks.
public final class FixtureRadio: RadioAccess {
  /// A question that can be made to fail.
  public enum Request: Hashable, Sendable {
    /// Whether there is a radio to ask at all.
    case opening
    case interface, network, stations, powerSave
  }

  /// What is known of one interface; what is left out the driver does not tell.
  public struct Facts: Sendable {
    /// The interface itself.
    public var interface: RadioInterface
    /// The network it belongs to.
    public var network: RadioNetwork?
    /// The stations it has links to.
    public var stations: [RadioStation]
    /// Whether it saves power; nil where it never does.
    public var savesPower: Bool?

    /// An interface that is connected to nothing.
    public init(
      _ interface: RadioInterface, network: RadioNetwork? = nil, stations: [RadioStation] = [],
      savesPower: Bool? = nil
    ) {
      self.interface = interface
      self.network = network
      self.stations = stations
      self.savesPower = savesPower
    }
  }

  private struct State {
    var facts: [UInt32: Facts] = [:]
    var faults: [Request: NetlinkError] = [:]
  }

  private let state = Lock(State())

  /// A radio with interfaces by their index.
  public init(_ facts: [UInt32: Facts] = [:]) {
    state.withLock { $0.facts = facts }
  }

  /// Replaces what is known of an interface; nil takes it away.
  public func set(_ index: UInt32, _ facts: Facts?) {
    state.withLock { $0.facts[index] = facts }
  }

  /// Makes a question fail; nil mends it.
  public func fail(_ request: Request, with error: NetlinkError?) {
    state.withLock { $0.faults[request] = error }
  }

  /// Opens the radio, if that has not been made to fail.
  public func open() throws(NetlinkError) -> any RadioLink {
    try check(.opening)
    return FixtureRadioLink(self)
  }

  fileprivate func facts(
    of index: UInt32, for request: Request
  ) throws(NetlinkError) -> Facts {
    try check(request)
    guard let facts = state.withLock({ $0.facts[index] }) else {
      throw .refused(SystemError(ENODEV, at: "nl80211 \(request)"))
    }
    return facts
  }

  private func check(_ request: Request) throws(NetlinkError) {
    if let error = state.withLock({ $0.faults[request] }) { throw error }
  }
}

private final class FixtureRadioLink: RadioLink {
  private let radio: FixtureRadio

  init(_ radio: FixtureRadio) {
    self.radio = radio
  }

  func interface(_ index: UInt32) throws(NetlinkError) -> RadioInterface {
    try radio.facts(of: index, for: .interface).interface
  }

  func network(of index: UInt32) throws(NetlinkError) -> RadioNetwork? {
    try radio.facts(of: index, for: .network).network
  }

  func stations(of index: UInt32) throws(NetlinkError) -> [RadioStation] {
    try radio.facts(of: index, for: .stations).stations
  }

  func savesPower(_ index: UInt32) throws(NetlinkError) -> Bool {
    guard let saves = try radio.facts(of: index, for: .powerSave).savesPower else {
      throw .refused(SystemError(EOPNOTSUPP, at: "nl80211 GET_POWER_SAVE"))
    }
    return saves
  }
}
