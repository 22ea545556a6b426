import Gathering
import Glibc
import Motion
import Values

/// Orientation from an accelerometer, a gyroscope and, if there is one, a magnetometer.
struct Attitude: LibraryKind {
  static let type = "attitude"
  static let summary = "Orientation from acceleration, rotation and field; yaw is relative without."
  static let inputs = [
    PortDescription("acceleration", .vector, unit: "m/s2"),
    PortDescription("rotation", .vector, unit: "rad/s"),
    PortDescription("field", .vector, unit: "uT"),
  ]
  static let outputs = [
    PortDescription("quaternion", .vector), PortDescription("roll", .double, unit: "rad"),
    PortDescription("pitch", .double, unit: "rad"), PortDescription("yaw", .double, unit: "rad"),
  ]
  static let options = [PortDescription("gain", .double, unit: "s-1", standard: .double(0.5))]

  private var gain = 0.5
  private var present: Quaternion?
  private var rotatedAt: Int64?
  private var levelledAt: Int64?
  private var alignedAt: Int64?

  init() {}

  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    let number = try value.number(of: option)
    guard number >= 0, number.isFinite else {
      throw .badOption(option, reason: "it must be 0 or more")
    }
    gain = number
  }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    guard let vector = sample.value.vector, let z = vector.z, vector.count == 3 else {
      throw PatchError.typeMismatch(port: input, expected: .vector, given: "no vector of three")
    }
    let value = Vector3(vector.x, vector.y, z)
    guard value.isFinite else { return }
    // An acceleration of zero carries no information.
    if input == "acceleration", value == .zero { return }
    switch input {
    case "rotation": rotate(value, at: sample.time)
    case "acceleration": level(value, at: sample.time)
    default: return align(value, at: sample.time)
    }
    // New attitudes are published at the rate of the rotation; before the first rotation there is
    // only the tilt.
    guard let q = present, input == "rotation" || rotatedAt == nil else { return }
    let angles = EulerAngles(q)
    publish("quaternion", .vector(Vector(q.w, q.x, q.y, q.z)))
    publish("roll", .double(angles.roll))
    publish("pitch", .double(angles.pitch))
    publish("yaw", .double(angles.yaw))
  }

  private mutating func rotate(_ rate: Vector3, at time: Int64) {
    defer { rotatedAt = max(time, rotatedAt ?? time) }
    guard let q = present, let before = rotatedAt, time > before else { return }
    let step = rate * (Double(time &- before) / 1e9)
    let angle = step.norm
    guard let axis = step.unit else { return }
    let s = sin(angle / 2)
    let turn = Quaternion(w: cos(angle / 2), x: axis.x * s, y: axis.y * s, z: axis.z * s)
    present = (q * turn).unit ?? q
  }

  private mutating func level(_ acceleration: Vector3, at time: Int64) {
    guard let up = acceleration.unit else { return }
    defer { levelledAt = max(time, levelledAt ?? time) }
    guard let q = present else {
      present = EulerAngles(levelFor: up).quaternion
      return
    }
    let tilted = q.rotate(up)
    let axis = tilted.cross(Vector3(0, 0, 1))
    let angle = atan2(axis.norm, tilted.z) * share(since: levelledAt, until: time)
    guard let unit = axis.unit else { return }
    let s = sin(angle / 2)
    let turn = Quaternion(w: cos(angle / 2), x: unit.x * s, y: unit.y * s, z: unit.z * s)
    present = (turn * q).unit ?? q
  }

  /// Turns about the vertical until the field points north, which is along y.
  private mutating func align(_ field: Vector3, at time: Int64) {
    guard let q = present else { return }
    let north = q.rotate(field)
    guard hypot(north.x, north.y) > 0 else { return }
    let share = alignedAt == nil ? 1 : share(since: alignedAt, until: time)
    alignedAt = max(time, alignedAt ?? time)
    let half = atan2(north.x, north.y) * share / 2
    present = (Quaternion(w: cos(half), x: 0, y: 0, z: sin(half)) * q).unit ?? q
  }

  /// How much of an error is taken away after a time.
  private func share(since before: Int64?, until time: Int64) -> Double {
    guard let before, time > before else { return 0 }
    return 1 - exp(-gain * Double(time &- before) / 1e9)
  }
}
