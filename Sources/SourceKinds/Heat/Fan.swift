import Gathering
import Machine
import Values

/// The speed and duty cycle of fans on monitoring chips.
struct Fan: CatalogueKind {
  enum Field: Int, PropertyField {
    case speed, minimum, maximum, target, duty, control, alarm, fault, driver, label

    var property: Property {
      switch self {
      case .speed: Property("speed", .double, unit: "{r}/min", .continuous)
      case .minimum: Property("minimum", .double, unit: "{r}/min", .onChange)
      case .maximum: Property("maximum", .double, unit: "{r}/min", .onChange)
      case .target: Property("target", .double, unit: "{r}/min", .onChange)
      case .duty: Property("duty", .double, unit: "1", .continuous, range: 0...1)
      case .control: Property("control", .enumeration(Self.modes), .onChange)
      case .alarm: Property("alarm", .bool, .onChange)
      case .fault: Property("fault", .bool, .onChange)
      case .driver: Property("driver", .string, .static)
      case .label: Property("label", .string, .static)
      }
    }

    var meaning: Meaning {
      switch self {
      case .speed: Meaning("turns a minute; 0 is a fan that stands", from: "fanN_input")
      case .minimum: Meaning("the slowest speed without an alarm", from: "fanN_min")
      case .maximum: Meaning("the fastest speed", from: "fanN_max")
      case .target: Meaning("the speed that the chip aims at", from: "fanN_target")
      case .duty: Meaning("power of the fan, of full power", from: "pwmN ÷ 255")
      case .control: Meaning("who chooses the power", from: "pwmN_enable")
      case .alarm:
        Meaning("whether a speed is out of its limits", from: "fanN_alarm, else those of limits")
      case .fault: Meaning("whether the chip reports a fault of the fan", from: "fanN_fault")
      case .driver: Meaning("driver of the chip", from: "name")
      case .label: Meaning("the driver's label of the fan", from: "fanN_label")
      }
    }

    /// The control modes of a fan: full speed, a number written by a program, or the chip itself.
    static let modes = ["full_speed", "manual", "automatic"]
  }

  let kind = "fan"
  let name = "Fan"
  static var about: KindMeaning {
    KindMeaning(
      "speed and power of fans on monitoring chips", from: "/sys/class/hwmon",
      instances: "the channels of the chips")
  }
  let intervals = Intervals(seconds: 2, minimum: 0.25)
  let topics: [ChangeTopic] = [.devices(subsystem: "hwmon")]
  static let table = Field.properties

  /// The fans with a measured speed, then those with a duty cycle only.
  func discover(on machine: Machine) -> Discovery {
    let chips = MonitorChip.all(on: machine.files)
    let measured = chips.flatMap { chip in
      chip.channels("fan").map { chip.instance(ofChannel: $0, in: machine.files) }
    }
    let driven = chips.flatMap { chip in
      let known = chip.channels("fan").map { $0.dropFirst("fan".count) }
      return chip.channels("pwm", ending: "")
        .filter { !known.contains($0.dropFirst("pwm".count)) }
        .map { chip.instance(ofChannel: $0, in: machine.files) }
    }
    return Discovery(
      (measured + driven).withDistinctNames(), orElse: .noDevices(in: MonitorChip.folder))
  }

  /// Opens the attributes of a channel: those of the fan, and the duty cycle of the same number.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    let number = (instance.notes["channel"] ?? "").dropFirst("fan".count)
    let (fan, pwm) = ("fan\(number)", "pwm\(number)")
    return MonitorReader(
      instance.path,
      [
        .init(Field.speed, "\(fan)_input", .rotation),
        .init(Field.minimum, "\(fan)_min", .rotationLimit),
        .init(Field.maximum, "\(fan)_max", .rotationLimit),
        .init(Field.target, "\(fan)_target", .scaled()),
        .init(Field.duty, pwm, .duty),
        .init(Field.control, "\(pwm)_enable", .control),
        .init(
          Field.alarm, "\(fan)_alarm", .flag,
          orAnyOf: ["\(fan)_min_alarm", "\(fan)_max_alarm"]),
        .init(Field.fault, "\(fan)_fault", .flag),
        .init(Field.driver, "name", .text, isStatic: true),
        .init(Field.label, "\(fan)_label", .text, isStatic: true),
      ], in: machine.files)
  }

  /// Drops the speed of a fan whose chip reports a fault: 0 without a fault is a fan that stands
  /// still.
  func derive(_ reading: inout Reading) {
    if reading[Field.fault].flag == true {
      reading[Field.speed] = .failed("the chip reports a fault of the fan")
    }
  }
}

extension TextRule {
  /// A speed in turns a minute; chips that have none give 65535 (catalogue 13.3).
  static let rotation = integer().map { value in
    guard case .int(let turns) = value else { return .ok(value) }
    if turns == 0xFFFF { return .noData("65535 means no reading") }
    let isPlausible = (0...30_000).contains(turns)
    return isPlausible ? .ok(.double(Double(turns))) : .failed("\(turns) r/min is implausible")
  }

  /// A limit in turns a minute; 0 stands for "none set".
  fileprivate static let rotationLimit = scaled().map { value in
    value.number == 0 ? .noData("no limit is set") : .ok(value)
  }

  /// Parts of 255 of full power.
  static let duty = integer().map { value in
    guard case .int(let part) = value, (0...255).contains(part) else {
      return .failed("a duty is a number from 0 to 255")
    }
    return .ok(.double(Double(part) / 255))
  }

  /// 0 is full speed, 1 a program's choice, and every greater number a way of the chip's own.
  fileprivate static let control = count.map { value in
    guard case .int(let mode) = value else { return .ok(value) }
    return .ok(.string(Fan.Field.modes[Int(min(mode, 2))]))
  }
}

extension Fan {
  /// A laptop has two fans, of which one stands; the fan of a phone's case gives no reading.
  func simulated(on device: BuiltInDevice) -> String {
    switch device {
    case .laptop:
      """
      0 add fan|dell_smm:fan1
      0 set fan|dell_smm:fan1/speed 2600
      0 wave fan|dell_smm:fan1/speed sine 400 0.01
      \(Self.driven("fan|dell_smm:fan1", label: "Processor Fan", duty: 0.5))
      0 add fan|dell_smm:fan2
      0 set fan|dell_smm:fan2/speed 0
      \(Self.driven("fan|dell_smm:fan2", label: "Video Fan", duty: 0))
      """
    case .phone:
      """
      0 add fan|pwmfan:fan1
      0 absent fan|pwmfan:fan1/speed noData 65535 means no reading
      \(Self.driven("fan|pwmfan:fan1", label: "case", duty: 0.2))
      """
    }
  }

  private static func driven(_ id: String, label: String, duty: Double) -> String {
    let driver = id.split(separator: "|")[1].prefix { $0 != ":" }
    return """
      0 absent \(id)/minimum noData no limit is set
      0 set \(id)/maximum 4900
      0 absent \(id)/target unsupported the driver has no target
      0 set \(id)/duty \(duty)
      0 set \(id)/control "automatic"
      0 set \(id)/alarm false
      0 set \(id)/fault false
      0 set \(id)/driver "\(driver)"
      0 set \(id)/label "\(label)"
      """
  }
}
