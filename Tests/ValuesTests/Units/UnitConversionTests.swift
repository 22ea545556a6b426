import GatheredKitTesting
import Testing
import Values

struct UnitConversionTests {
  /// Factors checked by hand: number, from, to, result.
  private static let table: [(Double, String, String, Double)] = [
    (50.0, "uT", "T", 5e-5), (0.25, "T", "mT", 250), (1, "G", "uT", 100), (1, "T", "G", 1e4),
    (25, "Cel", "K", 298.15), (0, "K", "Cel", -273.15), (21.5, "Cel", "Cel", 21.5),
    (100, "Cel", "[degF]", 212), (32, "[degF]", "Cel", 0), (-40, "[degF]", "Cel", -40),
    (1500, "mCel", "Cel", 1.5), (1e-6, "mCel", "Cel", 1e-9), (0, "[degF]", "K", 255.3722222222222),
    (1, "[g]", "m/s2", 9.80665), (9.80665, "m.s-2", "[g]", 1), (1, "[g]", "cm/s2", 980.665),
    (101_325, "Pa", "hPa", 1013.25), (1, "bar", "hPa", 1000), (1, "mbar", "Pa", 100),
    (1_048_576, "By", "MiBy", 1), (1, "GiBy", "By", 1_073_741_824), (1, "TBy", "GBy", 1000),
    (3, "By", "bit", 24), (8, "Kibit", "By", 1024), (1, "MBy/s", "kbit/s", 8000),
    (180, "deg", "rad", 3.141592653589793), (1, "rad", "mrad", 1000),
    (90, "deg/s", "rad/s", 1.5707963267948966),
    (1, "h", "min", 60), (2, "d", "h", 48), (90, "min", "h", 1.5), (1, "W.h", "J", 3600),
    (3.6, "MJ", "kW.h", 1), (1500, "mW.h", "W.h", 1.5), (36, "km/h", "m/s", 10),
    (50, "%", "1", 0.5), (0.125, "1", "%", 12.5), (1, "V.A", "W", 1), (1, "V/A", "Ohm", 1),
    (1, "C", "mA.h", 1 / 3.6), (1, "N/m2", "Pa", 1), (1, "F.V", "C", 1), (1, "J/s", "W", 1),
    (60, "/min", "Hz", 1), (2.4, "GHz", "MHz", 2400), (1, "kHz", "s-1", 1000),
    (1, "lm/m2", "lx", 1), (1, "ug/m3", "g/m3", 1e-6), (1, "m3", "dm3", 1000), (1, "dam", "m", 10),
    (1, "mmol", "umol", 1000), (1, "cd", "mcd", 1000), (7, "m{height}", "mm", 7000),
    (600, "{r}/min", "{r}/s", 10), (600, "{r}/min", "rad/s", 62.83185307179586),
    (1, "{r}/min", "deg/s", 6), (1, "{r}", "deg", 360),
    (1, "[ppm]", "1", 1e-6), (250, "[ppm]", "%", 0.025), (1500, "V.A", "kV.A", 1.5),
    (5, "{px}/s", "{px}/min", 300), (1, "s+2", "s2", 1), (1, "Ym", "ym", 1e48),
  ]

  @Test(arguments: table)
  func `V2: commensurable codes convert within 1e-9`(
    number: Double, from: String, to: String, expected: Double
  ) throws {
    let result = try UnitConversion.convert(number, from: from, to: to)
    #expect(abs(result - expected) <= abs(expected) * 1e-9, "\(result)")
    let back = try UnitConversion.convert(result, from: to, to: from)
    #expect(abs(back - number) <= max(abs(number), 1) * 1e-9, "\(back)")
  }

  @Test func `powers of ten are exact`() throws {
    #expect(try UnitConversion.convert(50, from: "uT", to: "T") == 5e-5)
    #expect(try UnitConversion.convert(1013.25, from: "hPa", to: "Pa") == 101_325)
    #expect(try UnitConversion.convert(100, from: "Cel", to: "[degF]") == 212)
    #expect(try UnitConversion.convert(0.1, from: "{x}", to: "{x}") == 0.1)
  }

  @Test(arguments: [
    ("rad/s", "Hz", 6.283185307179586), ("deg/s", "Hz", 360), ("deg/s", "/min", 6),
    ("{r}/min", "Hz", 60),
  ])
  func `V2: an angular rate is also a rotation frequency`(
    from: String, to: String, perTurn: Double
  ) throws {
    let result = try UnitConversion.convert(perTurn, from: from, to: to)
    #expect(abs(result - 1) <= 1e-9)
  }

  @Test(arguments: [
    ("Hz", "rad/s"), ("Hz", "{r}/min"), ("{r}", "1"),
    ("rad", "1"), ("rad", "Hz"), ("m", "s"), ("By", "1"), ("bit/s", "Hz"),
    ("dB{mW}", "W"), ("dB{mW}", "dB{FS}"), ("dB", "dB{mW}"), ("Cel", "m"), ("{px}", "{dot}"),
    ("{px}", "1"), ("{px}", "m"), ("lm", "cd"), ("N.m", "m"), ("%", "m"), ("rad2/s", "Hz"),
  ])
  func `V2: different quantities do not convert`(from: String, to: String) {
    #expect(throws: UnitError.incommensurable(from: from, to: to)) {
      try UnitConversion(from: from, to: to)
    }
  }

  @Test(arguments: [
    "", "furlong", "xm", "mmin", "kdeg", "mBy", "k%", "km1000", "m0", "m-", "m+", "m..s", "m/",
    "m.", ".m", "m s", "m*s", "(m)", "{px", "m{", "{}", "{a{b}", "px}", "[g", "g]", "Cel2", "/Cel",
    "Cel/s", "s.Cel", "[degF]2", "k[degF]", "dB{mW}/s", "Kim", "KiHz", "m99999999999999999999",
    "M", "5.m", "é", "m\0", "m30.m30", "1m", "hh", "Bd",
  ])
  func `R12: a code outside the subset is refused`(code: String) {
    let error = #expect(throws: UnitError.self) {
      try UnitConversion(from: code, to: code)
    }
    guard case .unknownUnit(code, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!reason.isEmpty)
    #expect(error?.description.contains("is not a known unit") == true)
  }

  @Test(arguments: ["dB{mW}", "dB{FS}", "dB", "{px}", "[degF]", "Cel", "1", "%", "1/s", "W.h"])
  func `V2: every code converts to itself unchanged`(code: String) throws {
    #expect(try UnitConversion.convert(-70.1, from: code, to: code) == -70.1)
  }

  @Test func `V2: pixels become points by a scale alone`() throws {
    #expect(try UnitConversion.convert(3840, from: "{px}", to: "{pt}", scale: 2) == 1920)
    #expect(try UnitConversion.convert(100, from: "{pt}", to: "{px}", scale: 1.5) == 150)
    #expect(try UnitConversion.convert(1, from: "{px}", to: "{px}") == 1)
    for scale in [nil, 0, -1, .nan, .infinity] as [Double?] {
      #expect(throws: UnitError.needsScale(from: "{px}", to: "{pt}")) {
        try UnitConversion(from: "{px}", to: "{pt}", scale: scale)
      }
    }
  }

  @Test func `R12: only finite numbers go in and come out`() {
    for number in [Double.nan, .infinity, -.infinity] {
      #expect(throws: UnitError.notFinite) {
        try UnitConversion.convert(number, from: "m", to: "m")
      }
    }
    #expect(throws: UnitError.outOfRange(from: "km", to: "mm")) {
      try UnitConversion.convert(1e305, from: "km", to: "mm")
    }
  }

  @Test func `a vector converts component by component`() throws {
    let conversion = try UnitConversion(from: "mT", to: "T")
    #expect(try conversion.convert(Vector(1, 2, 3)) == Vector(0.001, 0.002, 0.003))
  }

  @Test func `hostile codes never trap`() {
    var random = SeededGenerator(seed: 4)
    var accepted = 0
    for _ in 0..<20_000 {
      let bytes = random.mutated("kg.m2/s-3.A-1/[degF]{px}%", alphabet: "[]{}./+-0129mksCelB")
      let code = String(decoding: bytes, as: UTF8.self)
      if (try? UnitConversion(from: code, to: code)) != nil { accepted += 1 }
    }
    #expect(accepted < 20_000)
  }
}
