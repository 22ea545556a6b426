import Gathering
import Machine
import Values

/// One device of UPower, with the properties it has reported.
struct PowerDevice {
  let path: String
  /// Its last change, if a signal of changed properties made it.
  let change: BusChange?
  private let properties: [String: BusValue]

  init(path: String, object: BusObject) {
    self.path = path
    change = object.change
    properties = object.interfaces[PowerDaemon.device] ?? [:]
  }

  private func property(_ name: String) -> BusValue? { properties[name] }

  /// The numbers of UPower's `Type` that matter here; from 5 on it has a battery of its own.
  private enum Kind {
    static let linePower: Int64 = 1
    static let battery: Int64 = 2
    static let uninterruptible: Int64 = 3
  }

  private var type: Int64 { property("Type")?.integer ?? 0 }

  /// Whether it is a supply from outside.
  var isLine: Bool { type == Kind.linePower }
  /// Whether it is a battery, and no UPS.
  var isBattery: Bool { type == Kind.battery }
  /// Whether it feeds this machine.
  var isSupply: Bool { property("PowerSupply")?.flag ?? (type <= Kind.uninterruptible) }
  /// Whether it is an instance of the kind.
  var isListed: Bool { type >= Kind.battery && property("IsPresent")?.flag != false }
  /// The kernel's name of it, if reported.
  var nativeName: String? {
    property("NativePath")?.text?.split(separator: "/").last.map(String.init)
  }

  /// Whether the kernel has it under none of these names.
  func isNone(of names: [String]) -> Bool { nativeName.map { !names.contains($0) } ?? true }

  /// Whether a supply from outside is on.
  var isOnline: Outcome { .of(property("Online"), "Online") { $0.asFlag } }

  /// The device as an instance: by the kernel's name where it feeds the machine, else by its model
  /// and the digest of its serial (catalogue 4.13).
  func instance(isMember: Bool, on machine: Machine) -> Instance {
    let plain = nativeName ?? path.split(separator: "/").last.map(String.init) ?? "battery"
    let model = property("Model")?.asText?.text
    return Instance(
      isSupply ? plain : "\(model ?? "battery").\(digest(orOf: plain, on: machine))",
      label: model ?? shown(plain),
      availability: Availability(.available, backend: "UPower"), path: path,
      notes: ["upower": path, "scope": isSupply ? "system" : "device"],
      isMember: isSupply && isMember)
  }

  /// The digest of the serial, or of a name where there is none.
  private func digest(orOf name: String, on machine: Machine) -> String {
    let serial = property("Serial")?.asText?.text
    return MachineIdentity.of(machine).digest(ofIdentityIn: serial ?? name)
  }

  /// A name that may hold the address of a device is not shown (sources P4).
  private func shown(_ name: String) -> String { isSupply ? name : "Battery of a device" }

  /// The outcome of a property of the kind.
  func outcome(of field: Battery.Field) -> Outcome {
    switch field {
    case .level: level
    case .levelWord: word("BatteryLevel", Self.levels)
    case .state: state
    case .externalPower: .unsupported("a battery does not report it")
    case .energy: energy("Energy", isEmptyKnown: (property("EnergyFull")?.double ?? 0) > 0)
    case .energyFull: energy("EnergyFull")
    case .energyFullDesign: energy("EnergyFullDesign")
    case .power: power
    case .voltage: positive("Voltage")
    case .current: .unsupported("UPower reports no current")
    case .temperature: temperature
    case .cycleCount: cycles
    case .health: .notRead
    case .condition: .unsupported("UPower reports no condition")
    case .timeToEmpty: time("TimeToEmpty")
    case .timeToFull: time("TimeToFull")
    case .technology: technology
    case .manufacturer: text("Vendor")
    case .model: text("Model")
    case .serial: text("Serial")
    case .scope: .ok(.string(isSupply ? "system" : "device"))
    }
  }

  private static let sources: [Battery.Field: String] = [
    .level: "Percentage", .levelWord: "BatteryLevel", .state: "State", .energy: "Energy",
    .energyFull: "EnergyFull", .energyFullDesign: "EnergyFullDesign", .power: "EnergyRate",
    .voltage: "Voltage", .temperature: "Temperature", .cycleCount: "ChargeCycles",
    .timeToEmpty: "TimeToEmpty", .timeToFull: "TimeToFull", .technology: "Technology",
    .manufacturer: "Vendor", .model: "Model", .serial: "Serial", .scope: "PowerSupply",
  ]

  /// The fields that each property tells something of.
  static let tellers: [String: [Battery.Field]] = {
    var tellers: [String: [Battery.Field]] = [
      "EnergyFull": [.energy, .power], "BatteryLevel": [.level], "Type": [.scope],
    ]
    for (field, name) in sources { tellers[name, default: []].append(field) }
    return tellers
  }()

  /// The property as it came. The object's path, which may hold an address, is left out.
  func raw(of field: Battery.Field) -> RawValue? {
    guard let name = Self.sources[field], let value = property(name) else { return nil }
    return RawValue("\(value)".utf8, place: "\(PowerDaemon.device).\(name)")
  }

  // MARK: Rules

  /// From 0 to 1; a coarse level is an estimate, and a negative one is no data.
  private var level: Outcome {
    let isCoarse = (property("BatteryLevel")?.integer ?? Self.noLevel) > Self.noLevel
    return .of(property("Percentage"), "Percentage") { value in
      value.number { percent in
        percent < 0
          ? .noData("reported as \(percent)")
          : .ok(.double(min(percent / 100, 1)), lowAccuracy: isCoarse)
      }
    }
  }

  /// `BatteryLevel` of a battery that has a percentage.
  private static let noLevel: Int64 = 1
  /// The words of `BatteryLevel`.
  private static let levels: [Int64: String] = [
    3: "low", 4: "critical", 6: "normal", 7: "high", 8: "full",
  ]
  /// The words of `State`; 3 is empty, 5 and 6 wait to be charged or discharged.
  private static let states: [Int64: String] = [
    0: "unknown", 1: "charging", 2: "discharging", 3: "discharging", 4: "full",
    5: "not_charging", 6: "not_charging",
  ]
  /// The words of `Technology`.
  private static let technologies: [Int64: String] = [
    1: "Li-ion", 2: "Li-poly", 3: "LiFe", 4: "Lead-acid", 5: "NiCd", 6: "NiMH",
  ]

  private var state: Outcome { word("State", Self.states) }

  private func word(_ name: String, _ words: [Int64: String]) -> Outcome {
    .of(property(name), name) { value in
      value.integer.map { number in
        words[number].map { .ok(.string($0)) } ?? .noData("reported as \(number)")
      }
    }
  }

  private var technology: Outcome { word("Technology", Self.technologies) }

  /// Wh × 3600; 0 stands for "unknown" unless a full battery is known to hold something.
  private func energy(_ name: String, isEmptyKnown: Bool = false) -> Outcome {
    .of(property(name), name) { value in
      value.number { hours in
        if hours < 0 || (hours == 0 && !isEmptyKnown) { return .noData("reported as \(hours)") }
        return .ok(.double(hours * 3600))
      }
    }
  }

  private var power: Outcome {
    let isMeasured = (property("EnergyFull")?.double ?? 0) > 0
    return .of(property("EnergyRate"), "EnergyRate") { value in
      value.number { watts in
        watts == 0 && !isMeasured ? .noData("reported as 0") : .ok(.double(watts.magnitude))
      }
    }
  }

  /// 0 stands for "unknown".
  private var temperature: Outcome {
    .of(property("Temperature"), "Temperature") { value in
      value.number { $0 != 0 ? .ok(.double($0)) : .noData("reported as 0") }
    }
  }

  private func positive(_ name: String) -> Outcome {
    .of(property(name), name) { value in
      value.number { $0 > 0 ? .ok(.double($0)) : .noData("reported as \($0)") }
    }
  }

  private var cycles: Outcome {
    .of(property("ChargeCycles"), "ChargeCycles") { value in
      value.integer.map { $0 > 0 ? .ok(.int($0)) : .noData("reported as \($0)") }
    }
  }

  private func time(_ name: String) -> Outcome {
    .of(property(name), name) { value in
      value.integer.map { $0 > 0 ? .ok(.double(Double($0))) : .noData("reported as \($0)") }
    }
  }

  private func text(_ name: String) -> Outcome {
    .of(property(name), name) { $0.asText }
  }
}
