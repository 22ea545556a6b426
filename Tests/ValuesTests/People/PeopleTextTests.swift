import Testing

@testable import Values

/// Sources V15: the text of a value for people.
struct PeopleTextTests {
  private static func text(
    _ value: Value, _ unit: String? = nil, step: Double? = nil,
    _ meaning: Measure.Meaning = .plain
  ) -> String {
    value.format(as: Measure(unit: unit, resolution: step, meaning: meaning))
  }

  @Test(
    arguments: [
      (23_730_000_000, "By", "22.1 GiB"), (8_589_934_592, "By", "8 GiB"), (0, "By", "0 B"),
      (1023, "By", "1023 B"), (1024, "By", "1 KiB"), (1_048_575, "By", "1 MiB"),
      (-2048, "By", "-2 KiB"), (1500, "By/s", "1.46 KiB/s"), (5_000_000, "bit/s", "5 Mbit/s"),
      (0.5, "bit/s", "0.5 bit/s"), (2_412_000_000, "Hz", "2.41 GHz"), (0.25, "Hz", "250 mHz"),
      (12.34, "V", "12.3 V"), (0.0123, "A", "12.3 mA"), (7.123, "W", "7.12 W"), (0, "W", "0 W"),
      (129_600, "J", "36 Wh"), (0, "J", "0 Wh"), (100, "J", "27.8 mWh"), (4_700, "Ohm", "4.7 kΩ"),
      (101_325, "Pa", "1013.3 hPa"), (0, "Pa", "0 hPa"), (12, "Pa", "12 Pa"),
      (0.3443, "m", "34.43 cm"), (523.44, "m", "523.4 m"), (9_999, "m", "9999 m"),
      (384_400_000, "m", "384400 km"), (1e-20, "V", "1e-08 pV"), (1e300, "V", "1e+288 TV"),
      (1.234_567_8e19, "W", "12345678 TW"),
    ] as [(Double, String, String)])
  func `a number takes the unit of its family that keeps it short`(
    number: Double, unit: String, text: String
  ) {
    #expect(Self.text(.double(number), unit) == text)
    if let whole = Int64(exactly: number) { #expect(Self.text(.int(whole), unit) == text) }
  }

  @Test func `J that a counter counted are no battery's`() {
    #expect(Self.text(.double(129_600), "J", .count) == "130 kJ")
    #expect(Self.text(.double(0), "J", .count) == "0 J")
  }

  @Test(arguments: [
    (0.72, "72 %"), (0.720_000_651, "72 %"), (1, "100 %"), (0.830_2, "83 %"), (0.083, "8.3 %"),
    (0.000_53, "0.05 %"), (0, "0 %"), (-0.0, "0 %"), (1.053, "105 %"), (0.999_9, "100 %"),
  ])
  func `a share is a percentage, and so is what is one already`(number: Double, text: String) {
    #expect(Self.text(.double(number), "1", .share) == text)
    #expect(Self.text(.double(number * 100), "%") == text)
  }

  @Test func `an integer is a share, too, where the property is one`() {
    #expect(Self.text(.int(1), "1", .share) == "100 %")
    #expect(Self.text(.int(1), "1") == "1")
  }

  @Test(arguments: [
    (273_600, "3 d 4 h"), (86_400, "1 d"), (86_399, "1 d"), (15_120, "4 h 12 min"),
    (303, "5 min 3 s"), (60, "1 min"), (59.97, "1 min"), (59.9, "59.9 s"), (31.5, "31.5 s"),
    (3599.7, "1 h"), (0.25, "250 ms"), (1.5e-5, "15 µs"), (2e-9, "2 ns"), (0, "0 s"), (-0.0, "0 s"),
    (-303, "-5 min 3 s"), (-0.25, "-250 ms"), (1e20, "1157407407407408 d"), (3e-12, "0.003 ns"),
  ])
  func `a duration is in its two largest units`(seconds: Double, text: String) {
    #expect(Self.text(.double(seconds), "s") == text)
  }

  @Test(arguments: [
    (31.4375, "Cel", "31.4 °C"), (31.5, "Cel", "31.5 °C"), (300.16, "K", "300.2 K"),
    (-64, "dB{mW}", "-64 dBm"), (-12.345, "dB{FS}", "-12.35 dBFS"), (720, "{px}", "720 px"),
    (45.12345, "deg", "45.12°"), (9.806_65, "m/s2", "9.807 m/s²"), (48.321, "uT", "48.32 µT"),
    (2150, "{r}/min", "2150 rpm"), (123_456.78, "lx", "123457 lx"), (0.52, "1", "0.52"),
    (0.001_234_56, "rad/s", "0.001235 rad/s"), (1.234_567e-7, "rad/s", "1.235e-07 rad/s"),
    (1.234_567_8e20, "rad/s", "1.235e+20 rad/s"), (-0.0, "rad", "0 rad"),
    (3, "nonsense", "3 nonsense"),
    (3, "a\nb", "3 a\u{FFFD}b"), (1.5, "", "1.5"),
  ])
  func `other numbers have four digits and their unit as people spell it`(
    number: Double, unit: String, text: String
  ) {
    #expect(Self.text(.double(number), unit) == text)
  }

  @Test func `a coordinate has six decimals`() {
    #expect(Self.text(.double(48.137_154_321), "deg", .coordinate) == "48.137154°")
    #expect(Self.text(.double(-0.1), "deg", .coordinate) == "-0.1°")
  }

  @Test(arguments: [
    (31.4375, "Cel", 0.5, "31.4 °C"), (31.4375, "Cel", 1, "31 °C"),
    (9.806_65, "m/s2", 0.01, "9.81 m/s²"),
    (9.806_65, "m/s2", 0.000_6, "9.807 m/s²"), (0.000_01, "rad/s", 0.01, "0 rad/s"),
    (0.0123, "A", 0.001, "12 mA"), (0.0003, "A", 0.001, "0 A"), (0.0004, "A", 0.0005, "0.4 mA"),
    (101_325, "Pa", 100, "1013 hPa"), (31.46, "s", 1, "31 s"), (0.4, "s", 1, "0 s"),
    (33.333, "%", 1, "33 %"), (12.34, "V", 100, "12 V"), (5.678, "lx", 0, "5.678 lx"),
    (5.678, "lx", .nan, "5.678 lx"), (5.678, "lx", -1, "5.678 lx"),
    (5.678, "lx", .infinity, "5.678 lx"),
  ])
  func `no digit is finer than the resolution`(
    number: Double, unit: String, step: Double, text: String
  ) {
    #expect(Self.text(.double(number), unit, step: step) == text)
  }

  @Test func `a share's resolution is one of shares`() {
    #expect(Self.text(.double(0.3333), "1", step: 0.01, .share) == "33 %")
  }

  @Test(arguments: [
    (Vector(0.1, -9.806_65, 3), "( 0.100, -9.807,  3.000) m/s²"),
    (Vector(0, 0), "( 0.0000,  0.0000) m/s²"), (Vector(1e9, -1e-9), "(1000000000, -1e-09) m/s²"),
    (Vector(.nan, 1, .infinity), "(nan, 1, inf) m/s²"),
  ])
  func `the components of a vector have equally many decimals`(vector: Vector, text: String) {
    #expect(Self.text(.vector(vector), "m/s2") == text)
  }

  @Test(arguments: [
    (Value.none, "–"), (.bool(true), "yes"), (.bool(false), "no"),
    (.string("not_charging"), "not_charging"),
    (.string("a\nb"), "a\u{FFFD}b"), (.time(1_700_000_000_500_000_000), "2023-11-14 22:13:20 UTC"),
    (.bytes([0, 0xAB]), "00ab"),
    (
      .bytes(Array(repeating: 1, count: 2048)),
      "01010101010101010101010101010101… (2 KiB)"
    ),
    (.list([.int(1), .double(0.1)]), "[1,0.1]"), (.dictionary(["a": .none]), "{\"a\":null}"),
  ])
  func `what is no number ignores the unit`(value: Value, text: String) {
    #expect(Self.text(value, "By") == text)
    #expect(Self.text(value, "1", .share) == text)
  }

  @Test(arguments: ["By", "s", "%", "Cel", "m/s2", "1", "J", "nonsense"])
  func `what is not finite has a text in every unit`(unit: String) {
    for meaning in [Measure.Meaning.plain, .share, .coordinate, .count] {
      #expect(Self.text(.double(.nan), unit, meaning).hasPrefix("nan"))
      #expect(Self.text(.double(.infinity), unit, meaning).hasPrefix("inf"))
      #expect(Self.text(.double(-.infinity), unit, meaning).hasPrefix("-inf"))
    }
  }

  @Test(arguments: ["By", "s", "%", "Cel", "m/s2", "1", "J", "Pa", "m", "deg", "bit/s", "{px}"])
  func `a number of any size keeps its first digits`(unit: String) {
    for exponent in -320...308 {
      guard let number = Double("1.234567e\(exponent)") else { continue }
      for signed in [number, -number] {
        let text = Self.text(.double(signed), unit)
        #expect(text.contains { "0123456789".contains($0) }, "\(signed) \(unit)")
        #expect(text.count < 320, "\(signed) \(unit): \(text)")
        #expect(!text.hasPrefix("-0 "), "\(signed) \(unit): \(text)")
      }
    }
    for number in [Int64.min, -1, 0, 1, .max] {
      #expect(!Self.text(.int(number), unit).isEmpty)
    }
  }

  @Test func `style machine is exact`() {
    let share = Measure(unit: "1", resolution: 0.1, meaning: .share)
    #expect(Value.double(0.830_2).format(.machine, as: share) == "0.8302")
    let bytes = Measure(unit: "By")
    #expect(Value.int(23_730_000_000).format(.machine, as: bytes) == "23730000000 By")
    #expect(Value.bool(true).format(.machine) == "true")
  }
}
