import Gathering
import Values

/// The words of `ups.status`.
struct UPSStatus {
  static let states = ["online", "on_battery", "bypass", "off", "calibrating", "unknown"]

  /// In the order in which they count: a UPS that is off may still say what it was before.
  private static let meanings: [(word: StaticString, state: String)] = [
    ("OFF", "off"), ("BYPASS", "bypass"), ("CAL", "calibrating"), ("OB", "on_battery"),
    ("OL", "online"),
  ]
  private static let flags: [(field: UPS.Field, word: StaticString)] = [
    (.lowBattery, "LB"), (.replaceBattery, "RB"), (.charging, "CHRG"),
    (.discharging, "DISCHRG"), (.overload, "OVER"), (.forcedShutdown, "FSD"),
  ]

  private let words: [ArraySlice<UInt8>]

  init(_ text: ArraySlice<UInt8>) {
    words = Array(Words(of: text))
  }

  private func has(_ word: StaticString) -> Bool { words.contains { $0.equals(word) } }

  /// The state; nil for words that tell none, as `WAIT` while a driver begins.
  private var state: String? { Self.meanings.first { has($0.word) }?.state }

  /// Whether the mains feeds the load.
  var isOnline: Bool { state == "online" }

  /// The state and the flags. A word that is missing means no only where a state is told.
  var outcomes: [(field: UPS.Field, outcome: Outcome)] {
    let flags = Self.flags.map { field, word in
      let isSo = has(word)
      let isKnown = isSo || state != nil
      return (field, isKnown ? Outcome.ok(.bool(isSo)) : .noData("the UPS tells no state"))
    }
    return [(.state, .ok(.string(state ?? "unknown")))] + flags
  }
}

extension UPS {
  /// Where the fields come from: the first variable that there is counts.
  static let variables: [Field: [String]] = [
    .state: ["ups.status"], .lowBattery: ["ups.status"], .replaceBattery: ["ups.status"],
    .charging: ["ups.status"], .discharging: ["ups.status"], .overload: ["ups.status"],
    .forcedShutdown: ["ups.status"], .status: ["ups.status"], .alarm: ["ups.alarm"],
    .level: ["battery.charge"], .load: ["ups.load"], .runtime: ["battery.runtime"],
    .realPower: ["ups.realpower"], .apparentPower: ["ups.power"],
    .inputVoltage: ["input.voltage"], .outputVoltage: ["output.voltage"],
    .batteryVoltage: ["battery.voltage"], .inputFrequency: ["input.frequency"],
    .temperature: ["ups.temperature", "battery.temperature"],
    .ambientTemperature: ["ambient.temperature"], .ambientHumidity: ["ambient.humidity"],
    .testResult: ["ups.test.result"], .manufacturer: ["device.mfr", "ups.mfr"],
    .model: ["device.model", "ups.model"], .firmware: ["device.firmware", "ups.firmware"],
    .driver: ["driver.name"], .serial: ["device.serial", "ups.serial"],
  ]
}
