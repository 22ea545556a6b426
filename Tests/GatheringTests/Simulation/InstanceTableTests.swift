import Gathering
import Testing
import Values

@testable import SourceKinds

/// Scripts of kinds whose property list is the instance's (catalogue 5.9), and the motion of
/// built-in devices as a context tells it.
struct InstanceTableTests {
  @Test func `5_9: an instance has the channels its script speaks of, then the common tail`() throws
  {
    let device = try ScriptedContext(
      """
      0 add iio|one
      0 set iio|one/voltage0 1.5
      0 set iio|one/accel 1,2,3
      0 set iio|one/driver "adc"
      0 add iio|two
      0 wave iio|two/current1 sine 1 1
      2 absent iio|one/concentration_co2 noData warming up
      """)
    let one = try device.open("iio|one")
    let tail = IIO().properties.map(\.key)
    #expect(one.properties.map(\.key) == ["voltage0", "accel", "concentration_co2"] + tail)
    #expect(one.properties.prefix(3).map(\.unit) == ["V", "m/s2", "%"])
    #expect(one.properties[1].type == .vector(components: ["x", "y", "z"]))
    #expect(try device.open("iio|two").properties.map(\.key) == ["current1"] + tail)
    let values = try one.updateValues()
    #expect(values[0].value == .double(1.5))
    #expect(values[1].value == .vector(Vector(1, 2, 3)))
    #expect(values[2].status == .noData)
    #expect(one.value("driver").value == .string("adc"))
  }

  @Test(arguments: [
    "set iio|one/voltage0 1,2", "set iio|one/voltage0 \"text\"", "set battery|BAT0/voltage0 1",
    "set iio|two/voltage0 1",
  ])
  func `what cannot be a channel is a parse error`(line: String) {
    #expect(throws: SourceError.self) {
      try ScriptedContext("0 add battery|BAT0\n0 add iio|one\n0 \(line)")
    }
  }

  @Test(arguments: ["phone", "laptop"])
  func `values carry the time the motion had, under a clock that runs, too`(name: String) throws {
    let context = try Context.open(
      "sim:\(name)", mode: .host, catalogue: SourceCatalogue.all)
    let source = try context.open("magnetometer")
    for _ in 0..<3 {
      let samples = try source.updateValues()
      guard case .vector(let field) = samples[0].value else {
        Issue.record("no field")
        return
      }
      #expect(samples[0].clockOrigin == .kernel)
      let length = field.components.reduce(0) { $0 + $1 * $1 }.squareRoot()
      #expect(abs(length - (20.0 * 20 + 44 * 44).squareRoot()) < 1e-9)
    }
    try context.close()
  }
}
