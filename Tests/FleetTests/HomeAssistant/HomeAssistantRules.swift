import Values

/// What Home Assistant demands of an entity, as far as we use it: copied from its version 2026.2,
/// so that it does not follow our own table.
enum HomeAssistantRules {
  /// The units of each class of sensors; classes without any have no unit.
  static let units: [String: Set<String>] = [
    "temperature": ["°C", "°F", "K"], "battery": ["%"], "humidity": ["%"],
    "voltage": ["µV", "mV", "V", "kV", "MV"], "current": ["mA", "A"],
    "power": ["mW", "W", "kW", "MW", "GW", "TW"], "energy_storage": ["J", "kJ", "MJ", "Wh", "kWh"],
    "energy": ["J", "kJ", "MJ", "Wh", "kWh"], "atmospheric_pressure": ["Pa", "hPa", "kPa", "mbar"],
    "signal_strength": ["dB", "dBm"], "data_size": ["bit", "B", "kB", "MB", "KiB", "MiB"],
    "data_rate": ["bit/s", "kbit/s", "B/s", "kB/s", "MB/s"],
    "duration": ["d", "h", "min", "s", "ms"], "distance": ["mm", "cm", "m", "km"],
    "speed": ["m/s", "km/h", "mm/d"], "frequency": ["Hz", "kHz", "MHz", "GHz"],
    "illuminance": ["lx"], "apparent_power": ["mVA", "VA", "kVA"], "timestamp": [], "enum": [],
  ]

  /// The classes whose sensors may count upwards; others only measure.
  static let counting: Set<String> = ["data_size", "distance", "duration", "energy"]

  /// The classes of binary sensors.
  static let states: Set<String> = [
    "battery", "battery_charging", "connectivity", "lock", "occupancy", "opening", "plug",
    "problem", "running",
  ]

  /// What is wrong with a component; nil where nothing is.
  static func fault(_ members: ValueDictionary) -> String? {
    guard members["uniq_id"]?.text?.isEmpty == false, members["name"]?.text?.isEmpty == false else {
      return "it has no id or no name"
    }
    switch members["p"]?.text {
    case "sensor": return sensorFault(members)
    case "binary_sensor":
      let word = members["dev_cla"]?.text
      if let word, !states.contains(word) { return "\(word) is no class of states" }
      return members["stat_cla"] == nil && members["unit_of_meas"] == nil ? nil : "it is a state"
    case "device_tracker":
      return members["json_attr_t"] != nil && members["src_type"]?.text == "gps"
        ? nil : "it has no position"
    case let other: return "\(other ?? "nothing") is no platform of ours"
    }
  }

  private static func sensorFault(_ members: ValueDictionary) -> String? {
    let (unit, word) = (members["unit_of_meas"]?.text, members["dev_cla"]?.text)
    let count = members["stat_cla"]?.text
    if members["stat_t"]?.text?.isEmpty != false { return "it has no topic" }
    if let word {
      guard let legal = units[word] else { return "\(word) is no class of sensors" }
      if legal.isEmpty ? unit != nil : !legal.contains(unit ?? "") {
        return "\(unit ?? "no unit") is no unit of \(word)"
      }
      if legal.isEmpty, count != nil { return "\(word) is no number" }
      if count == "total_increasing", !counting.contains(word) { return "\(word) never counts" }
      if word == "energy", count == "measurement" { return "energy is never measured" }
    }
    let options = members["ops"]
    if (word == "enum") != (options != nil) { return "options and the class enum go together" }
    if case .list(let words)? = options, Set(words.map(\.text)).count != words.count {
      return "an option is there twice"
    }
    return nil
  }
}
