import Gathering
import Machine

/// Gyroscopes: how fast the device turns about each of its axes.
struct Gyroscope: SourceKind {
  enum Field: Int, CaseIterable {
    case rotationRate, temperature, mountMatrix
    case samplingFrequency, acquisition, driver, label, location, frame
  }

  /// The word in identifiers.
  let kind = "gyroscope"
  /// The name for people.
  let name = "Gyroscope"
  /// How often it is read unless asked otherwise, and at most.
  let intervals = Intervals(seconds: 0.1, minimum: 0.001)
  /// What the kernel tells of it by itself.
  let topics: [ChangeTopic] = [.devices(subsystem: "iio")]
  /// The catalogue's table, in its order.
  var properties: [Property] { Self.table }

  static let table: [Property] =
    [
      Property(
        "rotation_rate", .vector(components: IIODevice.axes), unit: "rad/s", .continuous),
      Property("temperature", .double, unit: "Cel", .continuous),
      Property("mount_matrix", .string, .static),
    ] + SensorTail.propertiesWithFrame

  /// The kind; it keeps no state.
  init() {}

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

  /// What a device is read for; nil if it is no gyroscope.
  static func plan(_ device: IIODevice) -> SensorPlan? {
    guard device.hasAxes("anglvel") else { return nil }
    var plan = SensorPlan(
      device,
      columns: [
        SensorPlan.Column(
          property: Field.rotationRate.rawValue, quantity: .axes("anglvel"), device: device)
      ], tail: Field.samplingFrequency.rawValue)
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
