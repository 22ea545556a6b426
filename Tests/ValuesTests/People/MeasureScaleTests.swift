import Testing
import Values

struct MeasureScaleTests {
  @Test(arguments: [
    ("By", 23_730_000_000.0, 0x1p30, "GiB"), ("By", 0, 1, "B"), ("By", -4096, 1024, "KiB"),
    ("J", 129_600, 3600, "Wh"), ("s", 100, 1, "s"), ("s", 7200, 3600, "h"), ("s", 5e-3, 1e-3, "ms"),
    ("s", 0, 1, "s"), ("m", 9999, 1, "m"), ("m", 10_000, 1000, "km"), ("rad/s", 5, 1, "rad/s"),
    ("Cel", 31, 1, "°C"), ("1", 5, 1, ""), ("V", 1e-20, 1e-12, "pV"), ("W", .infinity, 1e12, "TW"),
    ("W", .nan, 1, "W"), ("nonsense", 1, 1, "nonsense"),
  ])
  func `V15: numbers side by side are in one unit, which suits the largest`(
    code: String, largest: Double, size: Double, unit: String
  ) {
    let scale = Measure(unit: code).scale(upTo: largest)
    #expect(scale.size == size)
    #expect(scale.unit == unit)
  }

  @Test func `shares side by side are percentages`() {
    let scale = Measure(unit: "1", meaning: .share).scale(upTo: 0.001)
    #expect(scale.size == 0.01 && scale.unit == "%")
  }
}
