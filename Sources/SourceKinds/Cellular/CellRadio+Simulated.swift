import Gathering

extension CellRadio {
  /// All devices have the same.
  func simulated(on device: BuiltInDevice) -> String {
    """
    0 add \(Self.modem)
    0 set \(Self.modem)/state "registered"
    0 set \(Self.modem)/technology "lte"
    0 set \(Self.modem)/signal_quality 64
    0 wave \(Self.modem)/signal_quality sine 18 0.01
    0 set \(Self.modem)/operator_name "Simulated Network"
    0 set \(Self.modem)/operator_code "00101"
    0 set \(Self.modem)/mcc "001"
    0 set \(Self.modem)/mnc "01"
    0 set \(Self.modem)/registration "home"
    0 set \(Self.modem)/rssi -67
    0 wave \(Self.modem)/rssi sine 9 0.01
    0 set \(Self.modem)/rsrp -96
    0 wave \(Self.modem)/rsrp sine 9 0.01
    0 absent \(Self.modem)/rscp noData LTE has none
    0 set \(Self.modem)/rsrq -11
    0 wave \(Self.modem)/rsrq noise 1.5 0.5
    0 set \(Self.modem)/snr 12
    0 wave \(Self.modem)/snr sine 6 0.01
    0 absent \(Self.modem)/ecio noData LTE has none
    0 absent \(Self.modem)/sinr noData LTE has none
    0 set \(Self.modem)/cell_id "1A2B3C"
    0 absent \(Self.modem)/location_area noData LTE has none
    0 set \(Self.modem)/tracking_area "2F1C"
    0 set \(Self.modem)/manufacturer "Simulated"
    0 set \(Self.modem)/model "LTE Modem"
    0 set \(Self.modem)/imei "004999010640000"
    """
  }

  private static let modem = "cell_radio|6c1d90b7e2a4"
}
