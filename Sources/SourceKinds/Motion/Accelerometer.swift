import Gathering
import Ground
import Machine
import Values

/// Accelerometers: acceleration including gravity, and the orientation of the device.
struct Accelerometer: CatalogueKind {
  enum Field: Int, SensorField {
    case acceleration, linearAcceleration, gravity, orientation, inverted, mountMatrix
    case samplingFrequency, acquisition, driver, label, location, frame

    var property: Property {
      switch self {
      case .acceleration:
        Property("acceleration", .vector(components: IIODevice.axes), unit: "m/s2", .continuous)
      case .linearAcceleration:
        Property(
          "linear_acceleration", .vector(components: IIODevice.axes), unit: "m/s2", .continuous)
      case .gravity:
        Property("gravity", .vector(components: IIODevice.axes), unit: "m/s2", .continuous)
      case .orientation:
        Property("orientation", .enumeration(Orientation.words), .onChange, .derived)
      case .inverted: Property("inverted", .bool, .onChange, .config)
      case .mountMatrix: Property("mount_matrix", .string, .static)
      case .samplingFrequency, .acquisition, .driver, .label, .location, .frame: tailProperty
      }
    }
  }

  let kind = "accelerometer"
  let name = "Accelerometer"
  let intervals = Intervals(seconds: 0.1, minimum: 0.001)
  let topics: [ChangeTopic] = [
    .devices(subsystem: "iio"), .bus(SensorProxy.service),
  ]
  static let table = Field.properties

  /// The devices with three axes of acceleration, the display's first.
  func discover(on machine: Machine) -> Discovery {
    var discovery = IIODevice.discover(
      "an accelerometer", on: machine, byLocation: true
    ) { device, all in
      guard let plan = Self.plan(device, all) else { return nil }
      let table = plan.properties(Self.table, on: machine)
      var instance = plan.instance(properties: table, on: machine)
      if HeldSensors.of(machine).holder(of: plan.key) == .service {
        instance.availability = .orientationOnly
      }
      return instance
    }
    discovery.instances += SensorProxy.instances(
      of: .accelerometer, beside: discovery.instances, on: machine)
    return discovery
  }

  /// Opens one accelerometer.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    if instance.notes["sensor"] != nil { return Self.proxyReader(on: machine) }
    let all = (try? IIODevice.all(on: machine)) ?? []
    let device = IIODevice(instance.path, on: machine)
    guard let plan = Self.plan(device, all) else { throw .unavailable(.gone(instance)) }
    let reader = SensorReader(plan, on: machine, rule: OrientationRule())
    return machine.bus == nil ? reader : AccelerometerReader(reader, plan, on: machine)
  }

  /// Determines the orientation, which may be the previous one.
  func derive(_ reading: inout Reading) {
    reading.set(Field.inverted, to: false)
    // Gravity is present everywhere on Earth: exactly zero is no measurement (catalogue 4.11).
    if let gravity = reading.vector(Field.gravity), gravity.components.allSatisfy({ $0 == 0 }) {
      reading[Field.gravity] = .noAcceleration
    }
    guard let vector = reading.vector(Field.acceleration) else {
      // The daemon reports the orientation itself.
      if reading[Field.acquisition].text == "service" { return }
      reading[Field.orientation] = reading[Field.acceleration].asMissingInput
      return
    }
    Orientation.update(
      &reading, at: Field.orientation.rawValue, vector.x, vector.y, vector.z ?? 0)
  }

  /// Whether a session has turned the signs.
  func adapts(to session: SessionFacts) -> Bool {
    session.settings[Field.inverted] == .bool(true)
  }

  /// Negates the three vectors, and nothing else.
  func adapt(_ reading: inout Reading, to session: SessionFacts) {
    guard adapts(to: session) else { return }
    reading[Field.inverted] = .ok(.bool(true))
    for field in [Field.acceleration, .linearAcceleration, .gravity] {
      guard case .vector(let vector) = reading[field].value else { continue }
      // From 0 on, so that no component becomes −0.
      reading[field].value = .vector(vector.map { 0 - $0 })
    }
  }

  private static func proxyReader(on machine: Machine) -> SensorProxyReader {
    SensorProxyReader(
      SensorProxyClaim(.accelerometer, on: machine), tail: Field.tail,
      count: table.count, names: [Field.orientation.rawValue: "AccelerometerOrientation"]
    ) { [Field.orientation.rawValue: orientation(in: $0)] }
  }

  /// The orientation reported by iio-sensor-proxy.
  static func orientation(in reported: [String: BusValue]) -> Outcome {
    .of(reported["AccelerometerOrientation"], "AccelerometerOrientation") { $0.asText }
  }

  /// The plan for a device; nil if it is no accelerometer.
  static func plan(_ device: IIODevice, _ all: [IIODevice]) -> SensorPlan? {
    guard device.hasAxes("accel"), device.driver != "gravity" else { return nil }
    var columns = [column(.acceleration, "accel", device)]
    var absent: [Int: String] = [:]
    if device.hasAxes("accel_linear") {
      columns.append(column(.linearAcceleration, "accel_linear", device))
    } else {
      absent[Field.linearAcceleration] = "the sensor has no linear acceleration"
    }
    let sibling = all.first { $0.hub != nil && $0.hub == device.hub && $0.hasAxes("gravity") }
    if let source = device.hasAxes("gravity") ? device : sibling {
      columns.append(column(.gravity, "gravity", source))
    } else {
      absent[Field.gravity] = "neither the sensor nor its hub measures gravity"
    }
    var plan = SensorPlan(device, columns: columns, tail: Field.tail)
    plan.mount = .acceleration
    plan.mountMatrix = Field.mountMatrix.rawValue
    plan.hasFrame = true
    plan.absent = absent
    return plan
  }

  private static func column(
    _ field: Field, _ type: String, _ device: IIODevice
  ) -> SensorPlan.Column {
    SensorPlan.Column(property: field.rawValue, quantity: .axes(type), device: device)
  }
}

/// Keeps the word of the last orientation over the rows of a stream, and passes no gravity of
/// exactly nothing.
private final class OrientationRule: SensorRule {
  private let orientation = Lock(Orientation())

  func derive(_ block: inout SampleBlock) {
    Self.withholdNothing(in: &block)
    let index = Accelerometer.Field.acceleration.rawValue
    guard case .numbers(let rows, 3) = block.columns[index] else { return }
    var runs: [SampleBlock.Run] = []
    var last = ""
    for row in 0..<min(block.rowCount, rows.count / 3) {
      let word = orientation.withLock {
        $0.update(rows[row * 3], rows[row * 3 + 1], rows[row * 3 + 2])
      }
      if word != last { runs.append(SampleBlock.Run(from: row, .ok(.string(word)))) }
      last = word
    }
    block.columns[Accelerometer.Field.orientation] = .runs(runs)
  }

  /// Rows of zeros have no gravity.
  private static func withholdNothing(in block: inout SampleBlock) {
    let index = Accelerometer.Field.gravity.rawValue
    guard case .numbers(var rows, 3) = block.columns[index] else { return }
    let empty = stride(from: 0, to: rows.count - 2, by: 3).filter { row in
      rows[row..<row + 3].allSatisfy { $0 == 0 }
    }
    if empty.isEmpty { return }
    for row in empty { rows.replaceSubrange(row..<row + 3, with: [.nan, .nan, .nan]) }
    block.columns[index] = .numbers(rows, width: 3)
    block.absences[index] = [SampleBlock.Run(from: 0, .noAcceleration)]
  }
}
