import Gathering
import Ground
import Machine

/// Modems of mobile networks: registration, network and signal quality.
struct CellRadio: CatalogueKind {
  enum Field: Int, PropertyField {
    case state, technology, signalQuality
    case operatorName, operatorCode, mcc, mnc, registration
    case rssi, rsrp, rscp, rsrq, snr, ecio, sinr
    case cellId, locationArea, trackingArea
    case manufacturer, model, imei

    var property: Property {
      switch self {
      case .state: Property("state", .enumeration(ModemDaemon.states), .onChange)
      case .technology: Property("technology", .string, .onChange)
      case .signalQuality:
        Property("signal_quality", .double, unit: "%", .continuous, range: 0...100)
      case .operatorName: Property("operator_name", .string, .onChange)
      case .operatorCode: Property("operator_code", .string, .onChange)
      case .mcc: Property("mcc", .string, .onChange, name: "MCC")
      case .mnc: Property("mnc", .string, .onChange, name: "MNC")
      case .registration:
        Property("registration", .enumeration(ModemDaemon.registrations), .onChange)
      case .rssi: Property("rssi", .double, unit: "dB{mW}", .continuous, name: "RSSI")
      case .rsrp: Property("rsrp", .double, unit: "dB{mW}", .continuous, name: "RSRP")
      case .rscp: Property("rscp", .double, unit: "dB{mW}", .continuous, name: "RSCP")
      case .rsrq: Property("rsrq", .double, unit: "dB", .continuous, name: "RSRQ")
      case .snr: Property("snr", .double, unit: "dB", .continuous, name: "SNR")
      case .ecio: Property("ecio", .double, unit: "dB", .continuous, name: "Ec/Io")
      case .sinr: Property("sinr", .double, unit: "dB", .continuous, name: "SINR")
      case .cellId: Property("cell_id", .string, .onChange, category: .cellID)
      case .locationArea: Property("location_area", .string, .onChange, category: .cellID)
      case .trackingArea: Property("tracking_area", .string, .onChange, category: .cellID)
      case .manufacturer: Property("manufacturer", .string, .static)
      case .model: Property("model", .string, .static)
      case .imei: Property("imei", .string, .static, category: .serial, name: "IMEI")
      }
    }
  }

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
