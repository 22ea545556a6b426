import Gathering
import Machine

/// The position of a receiver of satellite signals, from gpsd, GeoClue, a modem or a serial port.
struct GPS: CatalogueKind {
  typealias Field = GPSField

  let kind = "gps"
  let name = "GPS"
  let intervals = Intervals(seconds: 1, minimum: 0.1, eventDriven: true)
  /// Where a person is stays private unless it is allowed.
  let category: PrivacyCategory? = .location
  /// Change notices about receivers.
  let topics: [ChangeTopic] = PresentPosition.topics
  let hasAggregate = true
  static let table = GPSField.table

  /// The receivers as far as they are known, after the aggregate of all; connects to nothing.
  func discover(on machine: Machine) -> Discovery {
    ReceiverFinder.of(machine)?.discovery() ?? Discovery([], orElse: .noGpsdInTree)
  }

  /// Connects, unless others have; throws why that cannot be done.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    guard let finder = ReceiverFinder.of(machine) else { throw .unavailable(.noGpsdInTree) }
    let listener = try finder.listen(to: instance)
    if instance.isAggregate { return BestReceiverReader(listener, clock: machine.clock) }
    return ReceiverReader(
      instance.notes["device"] ?? instance.name, of: instance.notes["backend"] ?? "", listener,
      clock: machine.clock)
  }

  /// All values of the best receiver.
  func combine(_ members: [Reading], into aggregate: inout Reading) {
    BestReceiver.combine(members, into: &aggregate)
  }
}
