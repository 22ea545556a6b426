import Testing
import Values

@testable import Gathering

/// Sources 15, wave: value = base + A·f(t), t since the wave line.
struct WaveformTests {
  private func level(_ script: String, at moments: [Double]) throws -> [Double] {
    let device = try SimulatedDevice("0 add gauge|g1\n" + script)
    return try moments.map { moment in
      device.advance(to: moment)
      return try #require(try device.outcome("level").value.number)
    }
  }

  private func expect(_ values: [Double], near expected: [Double]) {
    #expect(values.count == expected.count)
    for (value, expected) in zip(values, expected) {
      #expect(abs(value - expected) < 1e-9, "\(value) instead of \(expected)")
    }
  }

  @Test func `sine is sin 2πHt around the last set`() throws {
    let values = try level(
      "0 set gauge|g1/level 10\n0 wave gauge|g1/level sine 2 0.25", at: [0, 1, 2, 3, 4.5])
    expect(values, near: [10, 12, 10, 8, 10 + 2 * 0.5.squareRoot()])
  }

  @Test func `ramp runs from −1 to 1 each 1 over H`() throws {
    let values = try level(
      "0 set gauge|g1/level 1\n0 wave gauge|g1/level ramp 4 0.5", at: [0, 0.5, 1, 1.5, 2, 2.5])
    expect(values, near: [-3, -1, 1, 3, -3, -1])
  }

  @Test func `t counts from the wave line, not from opening`() throws {
    let values = try level(
      "0 set gauge|g1/level 5\n1.5 wave gauge|g1/level ramp 1 0.25", at: [1, 1.5, 3.5])
    expect(values, near: [5, 4, 5])
  }

  @Test func `a wave before any set swings around 0`() throws {
    expect(try level("0 wave gauge|g1/level sine 3 0.25", at: [0, 1]), near: [0, 3])
  }

  @Test func `noise is uniform between −A and A, and the same in every run`() throws {
    let form = Waveform(.noise, amplitude: 2, hertz: 10, id: "gauge|g1/level")
    let again = Waveform(.noise, amplitude: 2, hertz: 10, id: "gauge|g1/level")
    let moments = (0..<10_000).map { Int64($0) * 100_000_000 + 1 }
    let values: [Double] = moments.map { form(at: $0) }
    let repeated: [Double] = moments.map { again(at: $0) }
    #expect(values == repeated)
    #expect(values.allSatisfy { (-2...2).contains($0) })
    let mean = values.reduce(0, +) / 10_000
    #expect(abs(mean) < 0.05)
    // A uniform number of this width has a variance of 4/3.
    let variance = values.reduce(0) { $0 + $1 * $1 } / 10_000
    #expect(abs(variance - 4.0 / 3) < 0.05)
    #expect(Set(values).count > 9_900)
  }

  @Test func `noise is seeded by the id`() {
    let one = Waveform(.noise, amplitude: 1, hertz: 1, id: "gauge|g1/level")
    let other = Waveform(.noise, amplitude: 1, hertz: 1, id: "gauge|g2/level")
    #expect(one(at: 0) != other(at: 0))
  }

  @Test func `noise keeps its number for 1 over H`() {
    let form = Waveform(.noise, amplitude: 1, hertz: 2, id: "a")
    #expect(form(at: 0) == form(at: 499_999_999))
    #expect(form(at: 0) != form(at: 500_000_000))
  }

  @Test func `a wave moves every component of a vector, and whole numbers by whole numbers`()
    throws
  {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 set gauge|g1/place 1,2,3\n0 wave gauge|g1/place ramp 1 0.5\n"
        + "0 set gauge|g1/count 10\n0 wave gauge|g1/count ramp 4 0.1")
    #expect(try device.outcome("place").value == .vector(Vector(0, 1, 2)))
    #expect(try device.outcome("count").value == .int(6))
    device.advance(to: 1)
    #expect(try device.outcome("place").value == .vector(Vector(1, 2, 3)))
    #expect(try device.outcome("count").value == .int(7))
  }

  @Test func `V6: a wave beyond all numbers is an error, not an infinity`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 set gauge|g1/level 1.7e308\n0 wave gauge|g1/level ramp -1.7e308 1\n"
        + "0 set gauge|g1/count 9223372036854775807\n0 wave gauge|g1/count ramp -1 1")
    #expect(try device.outcome("level").status == .failed)
    #expect(try device.outcome("count").status == .failed)
  }

  @Test(arguments: ["set gauge|g1/level 5", "clear gauge|g1/level", "clear gauge|g1"])
  func `a wave ends with set and clear`(line: String) throws {
    let values = try level(
      "0 set gauge|g1/level 5\n0 wave gauge|g1/level ramp 1 1\n1 \(line)", at: [0, 1, 1.25])
    expect(values, near: [4, 5, 5])
  }

  @Test func `a wave ends with absent`() throws {
    let device = try SimulatedDevice(
      "0 add gauge|g1\n0 set gauge|g1/level 5\n0 wave gauge|g1/level ramp 1 1\n"
        + "1 absent gauge|g1/level noData\n2 clear gauge|g1/level")
    device.advance(to: 1)
    #expect(try device.outcome("level").status == .noData)
    device.advance(to: 2.25)
    #expect(try device.outcome("level") == .ok(.double(5)))
  }
}
