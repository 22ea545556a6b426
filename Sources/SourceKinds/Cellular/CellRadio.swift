import Gathering
import Ground
import Machine

/// Modems of mobile networks: whether they are registered, where, and how well they hear.
struct CellRadio: SourceKind {
  enum Field: Int, CaseIterable {
    case state, technology, signalQuality
    case operatorName, operatorCode, mcc, mnc, registration
    case rssi, rsrp, rscp, rsrq, snr, ecio, sinr
    case cellID, locationArea, trackingArea
    case manufacturer, model, imei
  }

  /// The word in identifiers.
  let kind = "cell_radio"
  /// The name for people.
  let name = "Cell Radio"
  /// How often it is read unless asked otherwise, and at most.
  let intervals = Intervals(seconds: 5, minimum: 1, eventDriven: true)
  /// What the bus tells of it by itself.
  let topics: [ChangeTopic] = [
    .bus(ModemDaemon.service), .bus(TelephonyDaemon.service),
  ]
  /// The catalogue's table, in its order.
  var properties: [Property] { Self.table }

  static let table: [Property] = [
    Property("state", .enumeration(ModemDaemon.states), .onChange),
    Property("technology", .string, .onChange),
    Property("signal_quality", .double, unit: "%", .continuous, range: 0...100),
    Property("operator_name", .string, .onChange),
    Property("operator_code", .string, .onChange),
    Property("mcc", .string, .onChange, name: "MCC"),
    Property("mnc", .string, .onChange, name: "MNC"),
    Property("registration", .enumeration(ModemDaemon.registrations), .onChange),
    Property("rssi", .double, unit: "dB{mW}", .continuous, name: "RSSI"),
    Property("rsrp", .double, unit: "dB{mW}", .continuous, name: "RSRP"),
    Property("rscp", .double, unit: "dB{mW}", .continuous, name: "RSCP"),
    Property("rsrq", .double, unit: "dB", .continuous, name: "RSRQ"),
    Property("snr", .double, unit: "dB", .continuous, name: "SNR"),
    Property("ecio", .double, unit: "dB", .continuous, name: "Ec/Io"),
    Property("sinr", .double, unit: "dB", .continuous, name: "SINR"),
    Property("cell_id", .string, .onChange, category: .cellID),
    Property("location_area", .string, .onChange, category: .cellID),
    Property("tracking_area", .string, .onChange, category: .cellID),
    Property("manufacturer", .string, .static),
    Property("model", .string, .static),
    Property("imei", .string, .static, category: .serial, name: "IMEI"),
  ]

  /// The kind; it keeps no state.
  init() {}

  /// The modems that ModemManager shows, in natural order of its objects, then those that only
  /// oFono does.
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
    // Without a bus both say the same.
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
