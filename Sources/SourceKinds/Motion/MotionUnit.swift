import Gathering
import Machine
import Motion

/// The parts of one chip or hub that together give its orientation.
struct MotionUnit: Sendable {
  /// How the attitude is determined, best first.
  enum Method: Sendable {
    case hardware, nineAxis, sixAxis, gravityOnly
  }

  /// The device that names the instance.
  let lead: IIODevice
  private(set) var parts: [MotionPart]

  /// The unit around an accelerometer or a device with a quaternion; nil around any other, and for
  /// an accelerometer whose hub has a quaternion.
  init?(attitudeOf device: IIODevice, among all: [IIODevice]) {
    lead = device
    if let quaternion = MotionPart(.quaternion, of: device) {
      parts = [quaternion]
      parts += [.acceleration, .rotation].compactMap { Self.nearest($0, to: device, among: all) }
      return
    }
    guard let acceleration = MotionPart(.acceleration, of: device),
      Self.nearest(.quaternion, to: device, among: all) == nil
    else { return nil }
    parts = [acceleration]
    guard let rotation = Self.nearest(.rotation, to: device, among: all) else { return }
    parts.append(rotation)
    if let field = Self.nearest(.field, to: device, among: all) { parts.append(field) }
  }

  /// The unit around a magnetometer, for its heading; nil around any other device.
  init?(headingOf device: IIODevice, among all: [IIODevice]) {
    guard let field = MotionPart(.field, of: device) else { return nil }
    lead = device
    let acceleration = Self.nearest(.acceleration, to: device, among: all)
    let rotation = acceleration.flatMap { _ in Self.nearest(.rotation, to: device, among: all) }
    let hardware = [.magneticHeading, .trueHeading].compactMap { quantity in
      MotionPart(quantity, of: device)
    }
    if let acceleration, let rotation {
      parts = [acceleration, rotation, field]
    } else if !hardware.isEmpty {
      parts = hardware
    } else {
      parts = [acceleration, field].compactMap { $0 }
    }
  }

  func part(_ quantity: MotionPart.Quantity) -> MotionPart? {
    parts.first { $0.quantity == quantity }
  }

  func has(_ quantity: MotionPart.Quantity) -> Bool { part(quantity) != nil }

  var method: Method {
    if has(.quaternion) { return .hardware }
    guard has(.rotation), has(.acceleration) else { return .gravityOnly }
    return has(.field) ? .nineAxis : .sixAxis
  }

  /// The part whose samples set the times of the unit's samples.
  var pacemaker: MotionPart.Quantity {
    let order: [MotionPart.Quantity] = [
      .quaternion, .rotation, .magneticHeading, .trueHeading, .field, .acceleration,
    ]
    return order.first(where: has) ?? .acceleration
  }

  /// The devices of the parts, each once, the pacemaker's first.
  var devices: [IIODevice] {
    var seen: [IIODevice] = []
    for part in [part(pacemaker)].compactMap({ $0 }) + parts
    where !seen.contains(where: { $0.path == part.device.path }) {
      seen.append(part.device)
    }
    return seen
  }

  /// The same unit with only some of its parts.
  func with(only isKept: (MotionPart) -> Bool) -> MotionUnit {
    var unit = self
    unit.parts = parts.filter(isKept)
    return unit
  }

  /// The part of a quantity that is closest to a device: itself, its chip, its hub.
  private static func nearest(
    _ quantity: MotionPart.Quantity, to device: IIODevice, among all: [IIODevice]
  ) -> MotionPart? {
    if let own = MotionPart(quantity, of: device) { return own }
    let hub = device.hub
    let others = all.filter { $0.path != device.path }
    let siblings = others.filter { $0.isOneChip(with: device) }
    let neighbours = hub == nil ? [] : others.filter { $0.hub == hub }
    return (siblings + neighbours).lazy.compactMap { MotionPart(quantity, of: $0) }.first
  }
}

extension MotionUnit {
  /// The one frame all parts can be given in, or why there is none (catalogue 4.11).
  func frame(on machine: Machine) throws(SourceError) -> MotionFrame {
    // The hardware's quaternion is in its own frame, and so is everything used with it.
    if has(.quaternion) { return .sensor }
    let mounts = parts.compactMap { $0.mount(on: machine) }
    if mounts.allSatisfy({ $0.isProper }) && !mounts.isEmpty { return .device }
    if parts.allSatisfy({ $0.device.isOneChip(with: lead) }) { return .sensor }
    if mounts.allSatisfy({ $0.outcome.status == .unsupported }) { return .sensor }
    throw .unavailable(
      Availability(
        .failed, backend: "iio",
        detail: "the sensors of \(lead.path) are not mounted in one frame: a mount matrix of one"
          + " mirrors, is no rotation, or is missing",
        remedy: "give every sensor of \(lead.name) a mount matrix that is a rotation"))
  }
}

extension IIODevice {
  /// Whether another device is a function of the same chip: attached at one place.
  func isOneChip(with other: IIODevice) -> Bool {
    path == other.path || (chip != nil && chip == other.chip)
  }
}

extension MountMatrix {
  /// Whether it is to be applied and turns without mirroring.
  var isProper: Bool {
    guard let m = rows, m.count == 9 else { return false }
    return Matrix3(
      Vector3(m[0], m[1], m[2]), Vector3(m[3], m[4], m[5]), Vector3(m[6], m[7], m[8])
    ).determinant > 0
  }
}

extension MotionUnit {
  /// Its key: the path of its leading device, and the part that sets its times.
  var key: String { lead.key(of: "\(pacemaker)") }

  /// The instance the unit is, unavailable where its parts cannot be brought into one frame.
  func instance(on machine: Machine) -> Instance {
    var instance = lead.instance().unlessHeld(key, lead, on: machine)
    do throws(SourceError) {
      _ = try frame(on: machine)
    } catch {
      if case .unavailable(let availability) = error { instance.availability = availability }
    }
    return instance
  }

  /// The unit of an instance that was found before; throws if it has gone.
  static func found(
    again instance: Instance, on machine: Machine,
    _ unit: (IIODevice, [IIODevice]) -> MotionUnit?
  ) throws(SourceError) -> MotionUnit {
    let all = (try? IIODevice.all(on: machine)) ?? []
    guard let found = unit(IIODevice(instance.path, on: machine), all) else {
      throw .unavailable(.gone(instance))
    }
    return found
  }
}
