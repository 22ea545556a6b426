import Motion
import Testing

@Suite struct BarometerTests {
  @Test(arguments: [(100_000, 110.885), (89_874.6, 999.997), (54_019.9, 5000.002), (101_325, 0)])
  func `pressures are heights of the standard atmosphere`(pressure: Double, height: Double) throws {
    let altitude = try #require(Barometer.altitude(pressure: pressure))
    #expect(abs(altitude - height) < 0.002)
  }

  @Test func `heights are counted from the pressure at sea level`() throws {
    let level = try #require(Barometer.altitude(pressure: 98_000, seaLevel: 98_000))
    #expect(level == 0)
    let below = try #require(Barometer.altitude(pressure: 99_000, seaLevel: 98_000))
    #expect(below < -80)
  }

  @Test func `what is no pressure has no height`() {
    for bad in [0, -1, Double.nan, .infinity, -.infinity] {
      #expect(Barometer.altitude(pressure: bad) == nil)
      #expect(Barometer.altitude(pressure: 100_000, seaLevel: bad) == nil)
    }
  }
}
