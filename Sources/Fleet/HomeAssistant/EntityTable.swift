import Gathering
import Values

/// How Home Assistant spells what we measure, and what it shows first (fleet F54, F56): rows of
/// words, which are looked up while a discovery message is made.
enum EntityTable {
  /// How a number is told.
  struct Quantity: Equatable {
    /// The unit there; empty for a bare number.
    var unit: String
    /// What a value is multiplied by, as a decimal; empty for 1.
    var factor = ""
    /// The device class; empty for none.
    var deviceClass = ""
  }

  /// A code of UCUM, the unit there, the factor, the class; `-` is none.
  static let quantities = """
    Cel °C - temperature
    % % - -
    V V - voltage
    A A - current
    W W - power
    J J - energy_storage
    Pa hPa 0.01 atmospheric_pressure
    dB{mW} dBm - signal_strength
    dB dB - signal_strength
    dB{FS} dBFS - -
    deg ° - -
    rad ° 57.29577951308232 -
    By B - data_size
    By/s B/s - data_rate
    bit/s bit/s - data_rate
    s s - duration
    m m - distance
    m/s m/s - speed
    Hz Hz - frequency
    lx lx - illuminance
    uT µT - -
    m/s2 m/s² - -
    rad/s rad/s - -
    K K - -
    {px} px - -
    {r}/min rpm - -
    [ppm] ppm - -
    V.A VA - apparent_power
    1 - - -
    """

  /// The key of a bool, and its class; with `!` it is on there when it is false here.
  static let states = """
    external_power plug
    connected connectivity
    carrier connectivity
    lid_closed !opening
    near occupancy
    present occupancy
    locked !lock
    fault problem
    alarm problem
    failing problem
    overload problem
    replace_battery problem
    in_use running
    populated running
    low_battery battery
    charging battery_charging
    """

  /// A kind, and the keys of what is shown of it unless more is asked for.
  static let headlines = """
    gps fix speed course altitude_msl satellites_used
    wifi connected ssid signal tx_bitrate rx_bitrate
    altimeter pressure altitude temperature
    microphone rms_level peak_level clipped_samples
    cell_radio state operator_name technology signal_quality rsrp
    screen power brightness width height refresh_rate
    compass magnetic_heading true_heading accuracy
    magnetometer magnitude accuracy sampling_frequency
    gyroscope temperature sampling_frequency acquisition
    accelerometer orientation inverted sampling_frequency
    device_attitude roll pitch yaw at_rest accuracy
    proximity near distance raw
    battery level state power time_to_empty
    bluetooth powered connected_count discovering
    bluetooth_device connected battery_level rssi
    storage used available total read_rate write_rate
    memory used available total swap_free
    device_metadata os_pretty_name model boot_time uptime
    ambient_light illuminance color_temperature uv_index
    temperature temperature high fault
    humidity relative_humidity temperature acquisition
    cpu usage frequency load_1 load_5
    thermal temperature state trip_critical
    network state carrier rx_rate tx_rate speed
    switches lid_closed tablet_mode docked headphone_inserted
    steps count session_count activity
    gpu utilization memory_used temperature power
    power power energy limit
    fan speed duty alarm fault
    voltage voltage average alarm
    current current average alarm
    unit memory_working_set usage tasks
    session present idle locked
    capture in_use by since
    time synchronized offset estimated_error
    disk failing temperature wear
    ups state level runtime load
    stream value
    """

  /// How many properties are shown of a kind that has no row.
  private static let usual = 4

  /// The words of a row behind its first one; nil where there is no such row.
  private static func row(_ first: String, in table: String) -> [Substring]? {
    for line in table.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words[0] == first { return Array(words.dropFirst()) }
    }
    return nil
  }

  /// How a number of a property is told.
  static func quantity(of property: Property, kind: String) -> Quantity {
    let unit = property.unit ?? "1"
    if property.isShare {
      let isCharge = property.key == "battery_level" || kind == "battery" && property.key == "level"
      return Quantity(unit: "%", factor: "100", deviceClass: isCharge ? "battery" : "")
    }
    guard let words = row(unit, in: quantities) else {
      return Quantity(unit: unit.filter { $0 != "{" && $0 != "}" })
    }
    let known = words.map { $0 == "-" ? "" : String($0) }
    var quantity = Quantity(unit: known[0], factor: known[1], deviceClass: known[2])
    if unit == "%", kind == "humidity" { quantity.deviceClass = "humidity" }
    if unit == "J", property.flags.contains(.counter) { quantity.deviceClass = "energy" }
    return quantity
  }

  /// The class of a bool, empty for none, and whether it is on there when it is false here.
  static func state(of key: String) -> (deviceClass: String, isInverted: Bool) {
    guard let word = row(key, in: states)?.first else { return ("", false) }
    return word.first == "!" ? (String(word.dropFirst()), true) : (String(word), false)
  }

  /// The keys of what is shown of a kind, in order; of a kind without a row its first readings.
  static func headline(of kind: String, _ properties: [Property]) -> [String] {
    if let keys = row(kind, in: headlines) { return keys.map(String.init) }
    let tail = ["sampling_frequency", "acquisition", "frame"]
    let readings = properties.filter { property in
      property.isEntity && property.mode != .static && !property.flags.contains(.config)
    }
    let own = readings.filter { !tail.contains($0.key) }
    return (own.isEmpty ? readings : own).prefix(usual).map(\.key)
  }
}

extension Property {
  /// Whether it is a part of a whole, which people read in per cent.
  fileprivate var isShare: Bool {
    unit == "1" && type == .double && measure.meaning == .share
  }

  /// Whether it is one number, word, moment or state.
  var isEntity: Bool {
    switch type {
    case .bool, .int, .double, .time, .enumeration: true
    case .vector, .string, .bytes: false
    }
  }
}
