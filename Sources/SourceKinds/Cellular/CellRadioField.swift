import Gathering

/// The properties of `CellRadio`.
enum CellRadioField: Int, PropertyField {
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
