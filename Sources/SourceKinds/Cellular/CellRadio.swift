import Gathering
import Ground
import Machine

/// Modems of mobile networks: registration, network and signal quality.
struct CellRadio: CatalogueKind {
  typealias Field = CellRadioField

  let kind = "cell_radio"
  let name = "Cell Radio"
  let intervals = Intervals(seconds: 5, minimum: 1, eventDriven: true)
  let topics: [ChangeTopic] = [
    .bus(ModemDaemon.service), .bus(TelephonyDaemon.service),
  ]
  static let table = Field.properties

  /// The modems of ModemManager, in natural order of its objects, then those that only oFono has.
  func discover(on machine: Machine) -> Discovery {
    let view = machine.view(of: ModemDaemon.service)
    let obstacle = Availability.obstacle(ModemDaemon.service, on: machine, view: view)
    let modems = obstacle == nil ? Modem.all(in: view) : []
    let others = Self.telephony(on: machine, but: Set(modems.compactMap(\.serial)))
    let instances = modems.map { $0.instance(on: machine) } + others.modems
    var none =
      obstacle
      ?? Availability(
        .noHardware, backend: ModemDaemon.service.backend, detail: "ModemManager has no modem")
    // Without a bus both have the same reason.
    if none.detail != others.reason { none.detail += "; \(others.reason)" }
    return Discovery(instances.withDistinctNames(), orElse: none)
  }

  /// Opens a modem; throws where it cannot be used.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    if instance.availability.group != .available { throw .unavailable(instance.availability) }
    return instance.notes["service"] == nil
      ? CellRadioReader(instance.path, on: machine) : TelephonyReader(instance.path, on: machine)
  }
}
