import Gathering
import Machine

/// One quantity of motion or direction, and the IIO device that measures it.
struct MotionPart: Sendable {
  enum Quantity: Int, CaseIterable, Sendable {
    case quaternion, magneticHeading, trueHeading, acceleration, rotation, field
  }

  let quantity: Quantity
  let device: IIODevice

  /// The channels of a quantity: three axes, or one of its own.
  static func channels(of quantity: Quantity) -> SensorPlan.Column.Quantity {
    switch quantity {
    case .quaternion: .number("rot_quaternion")
    case .magneticHeading: .number("rot_from_north_magnetic_tilt_comp")
    case .trueHeading: .number("rot_from_north_true_tilt_comp")
    case .acceleration: .axes("accel")
    case .rotation: .axes("anglvel")
    case .field: .axes("magn")
    }
  }

  /// The part a device is for a quantity; nil if it has no such channels.
  init?(_ quantity: Quantity, of device: IIODevice) {
    switch Self.channels(of: quantity) {
    case .axes(let type):
      guard device.hasAxes(type), device.driver != "gravity" else { return nil }
    case .number(let channel):
      guard device.attributes.contains("in_\(channel)_raw") else { return nil }
    }
    self.quantity = quantity
    self.device = device
  }

  /// The mount matrix of the part, if it has its own.
  func mount(on machine: Machine) -> MountMatrix? {
    guard case .axes(let type) = Self.channels(of: quantity) else { return nil }
    return MountMatrix(of: type, on: device, of: machine, for: use)
  }

  /// The plan of the part, in the device's frame or the sensor's.
  func plan(in frame: MotionFrame) -> SensorPlan {
    let column = SensorPlan.Column(
      property: quantity.rawValue, quantity: Self.channels(of: quantity), device: device)
    var plan = SensorPlan(device, columns: [column], tail: 0)
    plan.mount = frame == .device ? use : nil
    return plan
  }

  /// Whether the device's buffer delivers the part: in a captured tree only enabled channels.
  func isInBuffer(on machine: Machine) -> Bool {
    if machine.nature == .remote { return true }
    return plan(in: .sensor).columns[0].channels.allSatisfy { channel in
      let path = "\(device.path)/scan_elements/in_\(channel)_en"
      let enabled = Outcome(reading: PolledFile(path, in: machine.iio.files), .flag)
      return enabled.flag ?? false
        || (machine.nature == .live && enabled.status != .unsupported)
    }
  }

  private var use: MountMatrix.Use { quantity == .acceleration ? .acceleration : .rotation }
}

/// The frame of a unit's vectors (catalogue 4.11): never two frames at once.
enum MotionFrame: String, Sendable {
  case device, sensor
}
