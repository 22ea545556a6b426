import Testing

@testable import Values

struct UnitSpellingTests {
  @Test(arguments: [
    ("1", ""), ("", ""), ("%", "%"), ("m", "m"), ("m/s2", "m/s²"), ("rad/s", "rad/s"),
    ("s-1", "s⁻¹"), ("/s", "1/s"), ("1/s", "1/s"), ("Cel", "°C"), ("mCel", "m°C"), ("[degF]", "°F"),
    ("deg/s", "°/s"), ("uT", "µT"), ("ug/m3", "µg/m³"), ("nF", "nF"), ("kOhm", "kΩ"),
    ("[g]", "g"), ("By", "B"), ("KiBy/s", "KiB/s"), ("dB", "dB"), ("dB{mW}", "dBm"),
    ("dB{FS}", "dBFS"), ("dB{uV}", "dBuV"), ("{px}", "px"), ("{r}/min", "rpm"), ("{r}/s", "r/s"),
    ("m{H2O}", "m"), ("W.h", "Wh"), ("N.m", "N·m"), ("V.A", "VA"),
    ("[ppm]", "ppm"), ("min", "min"), ("cd", "cd"),
    ("{a/b.c}", "a/b.c"),
    ("nonsense", "nonsense"), ("m//s", "m//s"), ("{", "{"), ("°C", "°C"),
  ])
  func `V15: a unit is spelt as people do, an unknown one is left as it is`(
    code: String, spelling: String
  ) {
    #expect(UnitSpelling.spelling(of: code) == spelling)
  }
}
