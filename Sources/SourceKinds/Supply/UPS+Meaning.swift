import Gathering

extension UPS {
  static var about: KindMeaning {
    KindMeaning(
      "uninterruptible power supplies: what they feed, how full they are, how long they last",
      from: "NUT's upsd on TCP port 3493 (parameter nut=)", instances: "the names of ups.conf")
  }
}

extension UPS.Field {
  var meaning: Meaning {
    switch self {
    case .state: Meaning("what feeds the load", from: "ups.status OFF, BYPASS, CAL, OB, OL")
    case .lowBattery: Meaning("whether the battery is low", from: "ups.status LB")
    case .replaceBattery: Meaning("whether the battery is worn out", from: "ups.status RB")
    case .charging: Meaning("whether the battery is being charged", from: "ups.status CHRG")
    case .discharging: Meaning("whether the battery is being used up", from: "ups.status DISCHRG")
    case .overload: Meaning("whether more is connected than it can feed", from: "ups.status OVER")
    case .forcedShutdown:
      Meaning("whether it is about to switch its load off", from: "ups.status FSD")
    case .status: Meaning("its state in the driver's words", from: "ups.status")
    case .alarm: Meaning("what it complains of", from: "ups.alarm")
    case .level: Meaning("charge of the battery", from: "battery.charge ÷ 100")
    case .load: Meaning("share of what it can feed; may exceed 1", from: "ups.load ÷ 100")
    case .runtime: Meaning("how long the battery lasts", from: "battery.runtime")
    case .realPower:
      Meaning("power it gives", from: "ups.realpower; else load × ups.realpower.nominal")
    case .apparentPower:
      Meaning("apparent power it gives", from: "ups.power; else load × ups.power.nominal")
    case .inputVoltage: Meaning("voltage of the mains", from: "input.voltage")
    case .outputVoltage: Meaning("voltage it gives", from: "output.voltage")
    case .batteryVoltage: Meaning("voltage of the battery", from: "battery.voltage")
    case .inputFrequency: Meaning("frequency of the mains", from: "input.frequency")
    case .temperature: Meaning("temperature inside", from: "ups.temperature; battery.temperature")
    case .ambientTemperature: Meaning("temperature around it", from: "ambient.temperature")
    case .ambientHumidity: Meaning("relative humidity around it", from: "ambient.humidity")
    case .testResult: Meaning("result of the last test of the battery", from: "ups.test.result")
    case .manufacturer: Meaning("manufacturer", from: "device.mfr; ups.mfr")
    case .model: Meaning("model", from: "device.model; ups.model")
    case .firmware: Meaning("firmware version", from: "device.firmware; ups.firmware")
    case .driver: Meaning("NUT's driver for it", from: "driver.name")
    case .description: Meaning("what its owner calls it", from: "LIST UPS")
    case .serial: Meaning("serial number", from: "device.serial; ups.serial")
    }
  }
}
