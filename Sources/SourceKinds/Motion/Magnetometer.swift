import Gathering
import Machine
import Values

/// Magnetometers: the magnetic field, its strength and whether that can be the Earth's.
struct Magnetometer: CatalogueKind {
  enum Field: Int, SensorField {
    case magneticField, magnitude, accuracy, mountMatrix
    case samplingFrequency, acquisition, driver, label, location, frame

    var property: Property {
      switch self {
      case .magneticField:
        Property("magnetic_field", .vector(components: IIODevice.axes), unit: "uT", .continuous)
      case .magnitude: Property("magnitude", .double, unit: "uT", .continuous, .derived)
      case .accuracy:
        Property(
          "accuracy", .enumeration(["unreliable", "low", "medium", "high"]), .onChange, .derived)
      case .mountMatrix: Property("mount_matrix", .string, .static)
      case .samplingFrequency, .acquisition, .driver, .label, .location, .frame: tailProperty
      }
    }
  }

  let kind = "magnetometer"
  let name = "Magnetometer"
  let intervals = Intervals(seconds: 0.1, minimum: 0.001)
  let topics: [ChangeTopic] = [.devices(subsystem: "iio")]
  static let table = Field.properties

  /// The devices with three axes of the magnetic field, the display's first.
  func discover(on machine: Machine) -> Discovery {
    IIODevice.discover("a magnetometer", on: machine, byLocation: true) { device, _ in
      guard let plan = Self.plan(device) else { return nil }
      return plan.instance(properties: plan.properties(Self.table, on: machine), on: machine)
    }
  }

  /// Opens one magnetometer.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    guard let plan = Self.plan(IIODevice(instance.path, on: machine)) else {
      throw .unavailable(.gone(instance))
    }
    return SensorReader(plan, on: machine, rule: FieldStrengthRule())
  }

  /// Computes the strength of the field and its accuracy.
  func derive(_ reading: inout Reading) {
    let field = reading[Field.magneticField]
    guard field.status == .ok, case .vector(let vector) = field.value else {
      reading[Field.magnitude] = field.asMissingInput
      reading[Field.accuracy] = field.asMissingInput
      return
    }
    let length = Self.length(vector.x, vector.y, vector.z ?? 0)
    reading[Field.magnitude] = .ok(.double(length), lowAccuracy: field.isLowAccuracy)
    reading[Field.accuracy] = .ok(.string(Self.accuracy(of: length)))
  }

  fileprivate static func length(_ x: Double, _ y: Double, _ z: Double) -> Double {
    (x * x + y * y + z * z).squareRoot()
  }

  /// The plan for a device; nil if it is no magnetometer.
  static func plan(_ device: IIODevice) -> SensorPlan? {
    guard device.hasAxes("magn") else { return nil }
    var plan = SensorPlan(
      device,
      columns: [
        SensorPlan.Column(
          property: Field.magneticField.rawValue, quantity: .axes("magn"), device: device)
      ], tail: Field.tail)
    plan.mount = .rotation
    plan.mountMatrix = Field.mountMatrix.rawValue
    plan.hasFrame = true
    return plan
  }

  /// The accuracy of a field by its strength in microtesla. The strength can exclude the Earth's
  /// field, but cannot prove that the chip is calibrated.
  static func accuracy(of magnitude: Double) -> String {
    (25...65).contains(magnitude) ? "medium" : "unreliable"
  }
}

/// The strength of the field and its accuracy, for the rows of a stream.
private struct FieldStrengthRule: SensorRule {
  func derive(_ block: inout SampleBlock) {
    guard case .numbers(let rows, 3) = block.columns[Magnetometer.Field.magneticField]
    else { return }
    var lengths: [Double] = []
    var runs: [SampleBlock.Run] = []
    var last = ""
    for row in 0..<min(block.rowCount, rows.count / 3) {
      let length = Magnetometer.length(rows[row * 3], rows[row * 3 + 1], rows[row * 3 + 2])
      lengths.append(length)
      let word = Magnetometer.accuracy(of: length)
      if word != last { runs.append(SampleBlock.Run(from: row, .ok(.string(word)))) }
      last = word
    }
    block.columns[Magnetometer.Field.magnitude] = .numbers(lengths, width: 1)
    block.columns[Magnetometer.Field.accuracy] = .runs(runs)
  }
}
