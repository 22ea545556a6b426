import Gathering
import Machine
import Motion
import Values

/// How the device is turned in space, from the hardware's own fusion or from ours.
struct DeviceAttitude: CatalogueKind {
  enum Field: Int, SensorField {
    case attitude, roll, pitch, yaw, gravity, userAcceleration, rotationRate, reference, accuracy
    case magneticDisturbance, atRest, inverted
    case samplingFrequency, acquisition, driver, label, location, frame

    var property: Property {
      switch self {
      case .attitude:
        Property("attitude", .vector(components: ["w", "x", "y", "z"]), unit: "1", .continuous)
      case .roll: Property("roll", .double, unit: "rad", .continuous, .derived)
      case .pitch: Property("pitch", .double, unit: "rad", .continuous, .derived)
      case .yaw: Property("yaw", .double, unit: "rad", .continuous, .derived)
      case .gravity:
        Property(
          "gravity", .vector(components: IIODevice.axes), unit: "m/s2", .continuous, .derived)
      case .userAcceleration:
        Property(
          "user_acceleration", .vector(components: IIODevice.axes), unit: "m/s2", .continuous,
          .derived)
      case .rotationRate:
        Property("rotation_rate", .vector(components: IIODevice.axes), unit: "rad/s", .continuous)
      case .reference:
        Property(
          "reference", .enumeration(MotionEstimate.Reference.allCases.map(\.rawValue)), .onChange)
      case .accuracy:
        Property(
          "accuracy", .enumeration(MotionEstimate.Accuracy.allCases.map(\.rawValue)), .onChange,
          .derived)
      case .magneticDisturbance: Property("magnetic_disturbance", .bool, .onChange, .derived)
      case .atRest: Property("at_rest", .bool, .onChange, .derived)
      case .inverted: Property("inverted", .bool, .onChange, .config)
      case .samplingFrequency, .acquisition, .driver, .label, .location, .frame: tailProperty
      }
    }
  }

  let kind = "device_attitude"
  let name = "Device Attitude"
  let intervals = Intervals(seconds: 0.02, minimum: 0.001)
  let topics: [ChangeTopic] = [.devices(subsystem: "iio")]
  static let table = Field.properties

  /// One for each accelerometer or quaternion, with what is on its chip or hub; the display's
  /// first.
  func discover(on machine: Machine) -> Discovery {
    IIODevice.discover("a motion sensor", on: machine, byLocation: true) { device, all in
      MotionUnit(attitudeOf: device, among: all)?.instance(on: machine)
    }
  }

  /// Opens one unit.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    let unit = try MotionUnit.found(again: instance, on: machine) {
      MotionUnit(attitudeOf: $0, among: $1)
    }
    let table = AttitudeTable(unit, on: machine, frame: try unit.frame(on: machine))
    return try MotionReader(unit, on: machine, table: table, streamsBelow: .max)
  }

  /// Computes the angles and the direction of gravity that belong to an attitude.
  func derive(_ reading: inout Reading) {
    if reading[Field.inverted].status != .ok { reading[Field.inverted] = .ok(.bool(false)) }
    let attitude = reading[Field.attitude]
    // Four zeros are no rotation, and not the one that leaves everything as it is.
    guard attitude.status == .ok, let q = attitude.quaternion?.unit else {
      let missing =
        attitude.status == .ok ? Outcome.noData("the attitude is none") : attitude.asMissingInput
      for field in [Field.roll, .pitch, .yaw] where reading[field].status != .unsupported {
        reading[field] = missing
      }
      return
    }
    let angles = EulerAngles(q)
    reading[Field.roll] = .ok(.double(angles.roll))
    reading[Field.pitch] = .ok(.double(angles.pitch))
    let isLevelOnly = reading[Field.reference].text == MotionEstimate.Reference.gravityOnly.rawValue
    reading[Field.yaw] = isLevelOnly ? AttitudeTable.noYaw : .ok(.double(angles.yaw))
    guard reading[Field.gravity].status != .ok else { return }
    let up = q.conjugate.rotate(Vector3(0, 0, MotionEstimate.standardGravity))
    reading[Field.gravity] = .ok(.vector(up.vector))
  }

  /// Whether a session has turned the sign of the acceleration.
  func adapts(to session: SessionFacts) -> Bool {
    session.settings[Field.inverted] == .bool(true)
  }

  /// Computes the result of the filter for the negated acceleration.
  ///
  /// Down is then up and everything else as it was, so the earth is turned half about an axis that
  /// stays level: north for the filter, whose heading is kept by the magnetic field, and the
  /// device's own X where yaw is always 0. The hardware's quaternion does not depend on our sign.
  func adapt(_ reading: inout Reading, to session: SessionFacts) {
    guard adapts(to: session) else { return }
    reading[Field.inverted] = .ok(.bool(true))
    for field in [Field.gravity, .userAcceleration] {
      guard case .vector(let vector) = reading[field].value else { continue }
      // From 0 on, so that no component becomes −0.
      reading[field].value = .vector(vector.map { 0 - $0 })
    }
    let gravityOnly = MotionEstimate.Reference.gravityOnly.rawValue
    let isGravityOnly = reading[Field.reference].text == gravityOnly
    let isHardware = reading[Field.atRest].status == .unsupported && !isGravityOnly
    guard !isHardware, let attitude = reading[Field.attitude].quaternion else { return }
    let turn = Quaternion(w: 0, x: isGravityOnly ? 1 : 0, y: isGravityOnly ? 0 : 1, z: 0)
    let turned = turn * attitude
    let angles = EulerAngles(turned)
    reading[Field.attitude].value = .vector(turned.vector)
    let numbers = [(Field.roll, angles.roll), (.pitch, angles.pitch), (.yaw, angles.yaw)]
    for (field, angle) in numbers where reading[field].hasPayload {
      reading[field].value = .double(angle)
    }
  }
}

extension Outcome {
  /// A payload of w, x, y and z.
  fileprivate var quaternion: Quaternion? {
    guard case .vector(let v) = value, let y = v.z, let z = v.w else { return nil }
    return Quaternion(w: v.x, x: v.y, y: y, z: z)
  }
}

extension Quaternion {
  /// The components in the order of the property.
  var vector: Vector { Vector(w, x, y, z) }
}

extension Vector3 {
  /// The components of a property.
  var vector: Vector { Vector(x + 0, y + 0, z + 0) }
}
