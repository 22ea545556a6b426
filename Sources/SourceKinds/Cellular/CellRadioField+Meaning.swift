import Gathering

extension CellRadio {
  static var about: KindMeaning {
    KindMeaning(
      "a modem of mobile networks: registration, network and signal",
      from: "ModemManager on D-Bus, else oFono",
      instances: "the modems, named by a digest of what identifies each")
  }
}

extension CellRadioField {
  var meaning: Meaning {
    switch self {
    case .state: Meaning("how far the modem has come", from: "ModemManager Modem.State")
    case .technology:
      Meaning(
        "technologies in use, in words: gsm, umts, lte, nr5g",
        from: "ModemManager Modem.AccessTechnologies")
    case .signalQuality:
      Meaning(
        "quality of the signal as the modem rates it",
        from: "ModemManager Modem.SignalQuality; oFono Strength")
    case .operatorName:
      Meaning("name of the network", from: "ModemManager Modem3gpp.OperatorName; oFono Name")
    case .operatorCode:
      Meaning(
        "code of the network: country and network code", from: "ModemManager Modem3gpp.OperatorCode"
      )
    case .mcc:
      Meaning("code of the network's country", from: "the first three digits of operator_code")
    case .mnc:
      Meaning("code of the network in its country", from: "operator_code behind the third digit")
    case .registration:
      Meaning(
        "whether a network has let the modem in",
        from: "ModemManager Modem3gpp.RegistrationState; oFono Status")
    case .rssi:
      Meaning(
        "strength of all that is received",
        from: "ModemManager Modem.Signal, of the newest technology in use")
    case .rsrp:
      Meaning(
        "strength of the cell's reference signal (LTE, 5G)",
        from: "ModemManager Modem.Signal, Lte or Nr5g")
    case .rscp:
      Meaning("strength of the cell's pilot code (UMTS)", from: "ModemManager Modem.Signal, Umts")
    case .rsrq:
      Meaning(
        "quality of the reference signal (LTE, 5G)", from: "ModemManager Modem.Signal, Lte or Nr5g")
    case .snr:
      Meaning("signal to noise ratio (LTE, 5G)", from: "ModemManager Modem.Signal, Lte or Nr5g")
    case .ecio:
      Meaning(
        "pilot to interference ratio (UMTS, CDMA)",
        from: "ModemManager Modem.Signal, Umts, Cdma or Evdo")
    case .sinr:
      Meaning(
        "signal to interference and noise ratio (EV-DO)", from: "ModemManager Modem.Signal, Evdo")
    case .cellId:
      Meaning(
        "number of the cell, hexadecimal",
        from: "ModemManager Modem.Location, 3GPP CI; oFono CellId")
    case .locationArea:
      Meaning(
        "area of the cell (GSM, UMTS), hexadecimal", from: "ModemManager Modem.Location, 3GPP LAC")
    case .trackingArea:
      Meaning(
        "area of the cell (LTE, 5G), hexadecimal", from: "ModemManager Modem.Location, 3GPP TAC")
    case .manufacturer: Meaning("maker of the modem", from: "ModemManager Modem.Manufacturer")
    case .model: Meaning("model of the modem", from: "ModemManager Modem.Model")
    case .imei:
      Meaning("serial number of the modem", from: "ModemManager Modem3gpp.Imei; oFono Serial")
    }
  }
}
