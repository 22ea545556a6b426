import Motion
import Testing

@Suite struct MagneticModelTests {
  @Test func `the field is that of the published model, at the poles too`() {
    let lines = VectorFile("field.txt").text.split(separator: "\n")
    #expect(lines.count == 357)
    for line in lines {
      let n = line.split(separator: " ").compactMap { Double($0) }
      let field = MagneticModel.field(
        latitude: n[0], longitude: n[1], height: n[2], year: n[3])
      guard let field else {
        Issue.record("no field at \(line)")
        continue
      }
      let turn = (field.declination - n[4]).remainder(dividingBy: 360)
      #expect(abs(turn) < 0.01, "\(line): \(field.declination)")
      #expect(abs(field.inclination - n[5]) < 0.01, "\(line): \(field.inclination)")
      #expect(abs(field.magnitude - n[6] / 1000) < 0.002, "\(line): \(field.magnitude)")
    }
  }

  @Test func `outside its years and the earth the model says nothing`() {
    func field(_ latitude: Double, _ longitude: Double, _ height: Double, _ year: Double) -> Bool {
      MagneticModel.field(
        latitude: latitude, longitude: longitude, height: height, year: year) != nil
    }
    #expect(field(48, 16, 200, 2025.0) && field(48, 16, 200, 2030.0))
    #expect(!field(48, 16, 200, 2024.99) && !field(48, 16, 200, 2030.01))
    #expect(!field(90.1, 16, 200, 2026) && !field(-91, 16, 200, 2026))
    #expect(!field(.nan, 0, 0, 2026) && !field(0, .infinity, 0, 2026))
    #expect(!field(0, 0, .nan, 2026) && !field(0, 0, 1e7, 2026) && !field(0, 0, 0, .nan))
  }

  @Test func `longitudes a turn apart are one place`() {
    let here = MagneticModel.field(latitude: 10, longitude: 190, height: 0, year: 2026)
    let there = MagneticModel.field(latitude: 10, longitude: -170, height: 0, year: 2026)
    #expect(here == there && here != nil)
  }
}
