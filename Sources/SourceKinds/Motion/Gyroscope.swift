import Gathering
import Machine

/// Gyroscopes: how fast the device turns about each of its axes.
struct Gyroscope: CatalogueKind {
  enum Field: Int, SensorField {
    case rotationRate, temperature, mountMatrix
    case samplingFrequency, acquisition, driver, label, location, frame

    var property: Property {
      switch self {
      case .rotationRate:
        Property("rotation_rate", .vector(components: IIODevice.axes), unit: "rad/s", .continuous)
      case .temperature: Property("temperature", .double, unit: "Cel", .continuous)
      case .mountMatrix: Property("mount_matrix", .string, .static)
      case .samplingFrequency, .acquisition, .driver, .label, .location, .frame: tailProperty
      }
    }
  }

  let kind = "gyroscope"
  let name = "Gyroscope"
  let intervals = Intervals(seconds: 0.1, minimum: 0.001)
  let topics: [ChangeTopic] = [.devices(subsystem: "iio")]
  static let table = Field.properties

  /// The devices with three axes of angular velocity, the display's first.
  func discover(on machine: Machine) -> Discovery {
    IIODevice.discover("a gyroscope", on: machine, byLocation: true) { device, _ in
      guard let plan = Self.plan(device) else { return nil }
      return plan.instance(properties: plan.properties(Self.table, on: machine), on: machine)
    }
  }

  /// Opens one gyroscope.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    guard let plan = Self.plan(IIODevice(instance.path, on: machine)) else {
      throw .unavailable(.gone(instance))
    }
    return SensorReader(plan, on: machine)
  }

  /// The plan for a device; nil if it is no gyroscope.
  static func plan(_ device: IIODevice) -> SensorPlan? {
    guard device.hasAxes("anglvel") else { return nil }
    var plan = SensorPlan(
      device,
      columns: [
        SensorPlan.Column(
          property: Field.rotationRate.rawValue, quantity: .axes("anglvel"), device: device)
      ], tail: Field.tail)
    if device.has("temp") {
      plan.columns.append(
        SensorPlan.Column(
          property: Field.temperature.rawValue, quantity: .number("temp"), device: device))
    } else {
      plan.absent = [Field.temperature.rawValue: "the chip measures no temperature"]
    }
    plan.mount = .rotation
    plan.mountMatrix = Field.mountMatrix.rawValue
    plan.hasFrame = true
    return plan
  }
}
