/// The modem of the built-in devices, at home in an LTE network for tests.
enum CellRadioScript {
  static let text = """
    0 add \(modem)
    0 set \(modem)/state "registered"
    0 set \(modem)/technology "lte"
    0 set \(modem)/signal_quality 64
    0 wave \(modem)/signal_quality sine 18 0.01
    0 set \(modem)/operator_name "Simulated Network"
    0 set \(modem)/operator_code "00101"
    0 set \(modem)/mcc "001"
    0 set \(modem)/mnc "01"
    0 set \(modem)/registration "home"
    0 set \(modem)/rssi -67
    0 wave \(modem)/rssi sine 9 0.01
    0 set \(modem)/rsrp -96
    0 wave \(modem)/rsrp sine 9 0.01
    0 absent \(modem)/rscp noData LTE has none
    0 set \(modem)/rsrq -11
    0 wave \(modem)/rsrq noise 1.5 0.5
    0 set \(modem)/snr 12
    0 wave \(modem)/snr sine 6 0.01
    0 absent \(modem)/ecio noData LTE has none
    0 absent \(modem)/sinr noData LTE has none
    0 set \(modem)/cell_id "1A2B3C"
    0 absent \(modem)/location_area noData LTE has none
    0 set \(modem)/tracking_area "2F1C"
    0 set \(modem)/manufacturer "Simulated"
    0 set \(modem)/model "LTE Modem"
    0 set \(modem)/imei "004999010640000"
    """

  private static let modem = "cell_radio|6c1d90b7e2a4"
}
