import Gathering
import Machine

/// What files of the kernel said, where kinds convert it: in node_exporter's own arithmetic.
extension MetricSource {
  /// The kinds of which some value comes from a file that node_exporter reads.
  private static let kinds: Set = [
    "battery", "cpu", "current", "fan", "memory", "power", "temperature", "thermal", "time",
    "voltage",
  ]

  /// The metrics of texts whose values are good.
  var nodeTexts: [NodeMetric] {
    guard Self.kinds.contains(kind), let origin else { return [] }
    var chips: [Substring: String?] = [:]
    return goodValues.compactMap { index, _, _ in
      guard let raw = origin.rawValue(ofPropertyAt: index),
        let (family, labels, number) = nodeMetric(of: raw, &chips)
      else { return nil }
      return NodeMetric(family, labels, .double(number), of: self, at: index)
    }
  }

  private typealias Found = (family: String, labels: MetricLabels, number: Double)

  private func nodeMetric(of raw: RawValue, _ chips: inout [Substring: String?]) -> Found? {
    let path = raw.place.split(separator: "/")
    let text = String(decoding: raw.bytes, as: UTF8.self)
    if raw.place == "adjtimex.status" { return clock(text) }
    guard path.count > 2, let file = path.last else { return nil }
    if path.dropLast() == ["proc", "pressure"] { return pressure(of: file, text) }
    guard let number = Double(text.filter { !$0.isBlank }) else { return nil }
    switch (path[0], path[1], path[2]) {
    case ("sys", "class", "thermal"): return zone(path[3...], number)
    case ("sys", "class", "power_supply"): return supply(path[3...], number)
    case ("sys", "class", "hwmon"): return sensor(path[3...], number, &chips)
    case ("sys", "devices", "system"): return frequency(path[3...], number)
    default: return nil
    }
  }

  /// `8193 0`: the status of the clock and the answer of adjtimex, 5 of which is TIME_ERROR.
  private func clock(_ words: String) -> Found? {
    guard let state = words.split(separator: " ").dropFirst().first.flatMap({ Int64($0) }) else {
      return nil
    }
    return ("node_timex_sync_status", MetricLabels(), state == 5 ? 0 : 1)
  }

  /// `some avg10=0.00 avg60=0.00 avg300=0.00 total=0`, in microseconds.
  private func pressure(of resource: Substring, _ line: String) -> Found? {
    let words = line.split(whereSeparator: \.isBlank)
    guard words.first == "some", ["cpu", "memory"].contains(resource), let last = words.last,
      last.hasPrefix("total="), let total = UInt64(last.dropFirst("total=".count))
    else { return nil }
    let family = "node_pressure_\(resource)_waiting_seconds_total"
    return (family, MetricLabels(), Double(total) / 1000 / 1000)
  }

  /// `thermal_zone0/temp`, in thousandths of a degree.
  private func zone(_ path: ArraySlice<Substring>, _ number: Double) -> Found? {
    guard path.count == 2, let zone = path.first, path.last == "temp", let type = origin?.label,
      type != zone
    else { return nil }
    let labels = MetricLabels(["zone": String(zone.dropFirst("thermal_zone".count)), "type": type])
    return ("node_thermal_zone_temp", labels, number / 1000)
  }

  /// `BAT0/voltage_now`, in millionths.
  private func supply(_ path: ArraySlice<Substring>, _ number: Double) -> Found? {
    let families = [
      "capacity": ("capacity", 1), "online": ("online", 1), "voltage_now": ("voltage_volt", 1e6),
      "power_now": ("power_watt", 1e6),
    ]
    guard path.count == 2, let name = path.first.map(String.init),
      let (family, divisor) = path.last.flatMap({ families[String($0)] }),
      isListed(name, in: "/sys/class/power_supply")
    else { return nil }
    let labels = MetricLabels(["power_supply": name])
    return ("node_power_supply_\(family)", labels, number / divisor)
  }

  /// `cpu/cpu0/cpufreq/scaling_cur_freq`, in kHz.
  private func frequency(_ path: ArraySlice<Substring>, _ number: Double) -> Found? {
    let names = Array(path)
    guard names.count == 4, names[0] == "cpu", names[2...] == ["cpufreq", "scaling_cur_freq"]
    else { return nil }
    let labels = MetricLabels(["cpu": String(names[1].dropFirst("cpu".count))])
    return ("node_cpu_scaling_frequency_hertz", labels, number * 1000)
  }

  /// `hwmon0/fan1_input`; with older drivers `hwmon0/device/fan1_input`.
  private func sensor(
    _ path: ArraySlice<Substring>, _ number: Double, _ chips: inout [Substring: String?]
  ) -> Found? {
    guard let chip = path.first, let file = path.last else { return nil }
    let type = file.prefix { !$0.isNumber }
    let channel = file.prefix { $0 != "_" }
    guard let (family, scale) = NodeChip.families["\(type)\(file.dropFirst(channel.count))"] else {
      return nil
    }
    let name = chips[chip] ?? NodeChip.name(of: chip, driver: text(of: "driver"), in: files)
    chips[chip] = .some(name)
    guard let name else { return nil }
    let labels = MetricLabels(["chip": name, "sensor": String(channel)])
    return ("node_hwmon_\(family)", labels, scale(number))
  }
}

/// A chip of the hardware monitoring class as node_exporter knows it.
private enum NodeChip {
  /// The families of attributes, without the number of the channel, and what makes their numbers.
  static let families: [String: (family: String, scale: @Sendable (Double) -> Double)] = [
    "temp_input": ("temp_celsius", { $0 * 0.001 }),
    "fan_input": ("fan_rpm", { $0 }), "fan_min": ("fan_min_rpm", { $0 }),
    "fan_max": ("fan_max_rpm", { $0 }), "fan_target": ("fan_target_rpm", { $0 }),
    "fan_alarm": ("fan_alarm", { $0 }), "fan_fault": ("fan_fault", { $0 }),
    "in_input": ("in_volts", { $0 * 0.001 }), "curr_input": ("curr_amps", { $0 * 0.001 }),
    "power_input": ("power_watt", { $0 / 1e6 }),
    "power_average": ("power_average_watt", { $0 / 1e6 }),
    "energy_input": ("energy_joule_total", { $0 / 1e6 }),
  ]

  /// The place of its device by two names; where it has none, the driver; else the kernel's name,
  /// which is merely counted. Nil where it would tell a hardware address.
  static func name(
    of chip: Substring, driver: String?, in files: (any FileTree)?
  ) -> String? {
    guard let files else { return nil }
    let folder = "/sys/class/hwmon/\(chip)"
    let name: String
    if let device = try? files.canonicalPath(of: "\(folder)/device") {
      let parts = device.split(separator: "/").suffix(2).map(cleaned).filter { !$0.isEmpty }
      name = parts.joined(separator: "_")
    } else if let driver = driver ?? text(of: "\(folder)/name", in: files),
      !cleaned(driver).isEmpty
    {
      name = cleaned(driver)
    } else {
      guard let path = try? files.canonicalPath(of: folder) else { return nil }
      name = path.split(separator: "/").last.map(cleaned) ?? ""
    }
    return name.isEmpty || HardwareAddress.first(in: name) != nil ? nil : name
  }

  private static func text(of path: String, in files: any FileTree) -> String? {
    (try? PolledFile(path, in: files).read()).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Lower-case letters, digits, colons, and underscores for all else, of which none at the ends.
  private static func cleaned(_ text: some StringProtocol) -> String {
    let shown = text.lowercased().unicodeScalars.map { scalar -> Character in
      let isKept = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) || scalar == ":"
      return isKept ? Character(scalar) : "_"
    }
    let start = shown.prefix { $0 == "_" }.count
    return String(shown.dropFirst(start).reversed().drop { $0 == "_" }.reversed())
  }
}
