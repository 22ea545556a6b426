import Gathering
import Ground
import Testing
import Values

/// Section 15: a script gives some values, and the catalogue's rules the rest.
struct DerivedValueTests {
  /// What a source says after lines of a script.
  private static func values(
    _ id: String, _ lines: [String], at second: Double = 0, keys: [String]
  ) throws -> [String] {
    let text = (["0 add \(id)"] + lines.map { $0.replacing("ID", with: id) }).joined(
      separator: "\n")
    let device = try ScriptedContext(text)
    let source = try device.open(id)
    if second > 0 {
      try source.updateValues()
      try device.seek(second)
    }
    let samples = try source.updateValues()
    return keys.map { key in
      guard let index = source.properties.firstIndex(where: { $0.key == key }) else { return key }
      let sample = samples[index]
      return sample.payload.map(Self.text) ?? sample.status.word
    }
  }

  private static func text(_ value: Value) -> String {
    guard case .vector(let vector) = value else {
      if let number = value.number { return "\((number * 1e6).rounded() / 1e6)" }
      if case .bool(let flag) = value { return "\(flag)" }
      if case .string(let text) = value { return text }
      return "?"
    }
    return vector.components.map { "\(($0 * 1e6).rounded() / 1e6 + 0)" }.joined(separator: " ")
  }

  @Test func `a magnetic field has its length, and is the earth's or not`() throws {
    let keys = ["magnitude", "accuracy"]
    #expect(
      try Self.values("magnetometer|m", ["0 set ID/magnetic_field 20,0,-40"], keys: keys)
        == ["44.72136", "medium"])
    #expect(
      try Self.values("magnetometer|m", ["0 set ID/magnetic_field 0,0,5"], keys: keys)
        == ["5.0", "unreliable"])
    #expect(
      try Self.values("magnetometer|m", ["0 error ID/magnetic_field 5"], keys: keys)
        == ["error", "error"])
  }

  @Test func `the way up is kept until another is certain`() throws {
    let lines = ["0 set ID/acceleration 0,-9.81,0", "1 set ID/acceleration 6,-7,0"]
    let keys = ["orientation", "inverted"]
    #expect(try Self.values("accelerometer|a", lines, keys: keys) == ["normal", "false"])
    #expect(try Self.values("accelerometer|a", lines, at: 2, keys: keys) == ["normal", "false"])
    let turned = lines + ["2 set ID/acceleration 9.81,0,0"]
    #expect(try Self.values("accelerometer|a", turned, at: 3, keys: keys)[0] == "left-up")
    #expect(
      try Self.values("accelerometer|a", ["0 set ID/acceleration 0,0,-9.81"], keys: keys)[0]
        == "undefined")
  }

  @Test func `what a script sets itself is not computed`() throws {
    let lines = ["0 set ID/acceleration 0,-9.81,0", "0 set ID/orientation \"right-up\""]
    #expect(try Self.values("accelerometer|a", lines, keys: ["orientation"]) == ["right-up"])
  }

  @Test func `an attitude has its angles, and gravity its direction`() throws {
    let keys = ["roll", "pitch", "yaw", "gravity"]
    let half = "0.7071067811865476"
    #expect(
      try Self.values("device_attitude|d", ["0 set ID/attitude \(half),\(half),0,0"], keys: keys)
        == ["1.570796", "0.0", "0.0", "0.0 9.80665 0.0"])
    let lines = ["0 set ID/attitude 1,0,0,0", "1 set ID/attitude \(half),0,0,\(half)"]
    #expect(
      try Self.values("device_attitude|d", lines, at: 2, keys: keys)
        == ["0.0", "0.0", "1.570796", "0.0 0.0 9.80665"])
    let level = ["0 set ID/attitude 1,0,0,0", "0 set ID/reference \"gravity_only\""]
    #expect(try Self.values("device_attitude|d", level, keys: keys)[2] == "unsupported")
    #expect(
      try Self.values("device_attitude|d", ["0 error ID/attitude 5"], keys: keys)[0] == "error")
  }

  @Test func `a heading and a declination make a true heading`() throws {
    let lines = ["0 set ID/magnetic_heading 358", "0 set ID/declination 4.5"]
    #expect(try Self.values("compass|c", lines, keys: ["true_heading"]) == ["2.5"])
    #expect(
      try Self.values("compass|c", ["0 set ID/magnetic_heading 358"], keys: ["true_heading"])
        == ["noData"])
  }

  @Test func `a pressure has its heights`() throws {
    let lines = ["0 set ID/pressure 100000", "0 set ID/sea_level_pressure 100000"]
    #expect(
      try Self.values("altimeter|b", lines, keys: ["pressure_altitude", "altitude"])
        == ["110.884484", "0.0"])
  }
}
