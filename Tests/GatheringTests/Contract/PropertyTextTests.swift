import Gathering
import SourceKinds
import Testing
import Values

/// Sources V15: what a property says about the text of its values.
struct PropertyTextTests {
  private static let properties = SourceCatalogue.all.flatMap { kind in
    kind.properties.map { (name: "\(kind.kind).\($0.key)", property: $0) }
  }

  @Test func `every number of the catalogue has a text for people and an exact one`() {
    for (name, property) in Self.properties {
      for number in [0.0, 1, -1, 0.123_456_7, 1e-300, -1e300, .infinity, -.infinity, .nan] {
        let text = property.format(.double(number))
        #expect(!text.isEmpty && !text.contains("{"), "\(name) \(number): \(text)")
        #expect(
          property.format(.double(number), .machine)
            == Value.double(number).formatted(unit: property.unit))
      }
      for number in [Int64.min, -1, 0, 1, .max] {
        #expect(!property.format(.int(number)).isEmpty, "\(name) \(number)")
      }
      for vector in [Vector(0, 1), Vector(.nan, 1e300, -1), Vector(1, 2, 3, 4)] {
        #expect(property.format(.vector(vector)).hasPrefix("("), "\(name)")
      }
      #expect(property.format(.none) == "–", "\(name)")
    }
  }

  @Test func `no unit of the catalogue is a code for people`() {
    for (name, property) in Self.properties {
      guard let unit = property.unit else { continue }
      let text = property.format(.double(2))
      for code in ["By", "Cel", "uT", "dB{", "{", "Ohm", "m/s2"] where unit.contains(code) {
        #expect(!text.contains(code), "\(name): \(text)")
      }
    }
  }

  @Test func `shares are percentages, and nothing else is`() {
    let shares = Self.properties.filter { $0.property.format(.double(0.5)) == "50 %" }
    #expect(
      shares.map(\.name) == [
        "screen.brightness", "battery.level", "battery.health", "bluetooth_device.battery_level",
        "cpu.usage", "cpu.user", "cpu.system", "cpu.iowait", "cpu.interrupt", "cpu.steal",
        "gpu.utilization", "gpu.memory_utilization", "gpu.encoder_utilization",
        "gpu.decoder_utilization", "gpu.video_utilization", "gpu.fan_duty", "fan.duty",
        "unit.usage", "disk.wear", "disk.spare", "ups.level", "ups.load",
      ])
    let plain = Self.properties.filter {
      $0.property.type == .double && $0.property.unit == "1"
        && $0.property.format(.double(0.5)) == "0.5"
    }
    #expect(
      plain.map(\.name) == [
        "gps.hdop", "gps.vdop", "gps.pdop", "ambient_light.intensity",
        "ambient_light.intensity_red", "ambient_light.intensity_green",
        "ambient_light.intensity_blue", "ambient_light.intensity_infrared",
        "ambient_light.uv_index", "cpu.load_1", "cpu.load_5", "cpu.load_15",
        "unit.cpu_limit",
      ])
  }

  @Test func `energies of a battery are watt-hours, those of a counter joules`() {
    let energies = Self.properties.filter {
      $0.property.unit == "J" && !["power.", "gpu."].contains(where: $0.name.hasPrefix)
    }
    #expect(
      energies.map(\.name)
        == ["energy", "energy_full", "energy_full_design"].map {
          "battery." + $0
        })
    for (name, property) in energies {
      #expect(property.format(.double(129_600)) == "36 Wh", "\(name)")
    }
    let meter = Property("energy", .double, unit: "J", .continuous, .counter)
    #expect(meter.format(.double(129_600)) == "130 kJ")
  }

  @Test func `a place on Earth has the decimals it needs, and a heading does not`() {
    let place = Property("latitude", .double, unit: "deg", .continuous, range: -90...90)
    #expect(place.format(.double(48.137_154_3)) == "48.137154°")
    let heading = Property("course", .double, unit: "deg", .continuous, range: 0...360)
    #expect(heading.format(.double(48.137_154_3)) == "48.14°")
  }

  @Test func `a property's resolution limits its digits`() {
    let property = Property("temperature", .double, unit: "Cel", .continuous, resolution: 1)
    #expect(property.format(.double(31.4)) == "31 °C")
    #expect(property.format(.double(31.4), .machine) == "31.4 Cel")
  }
}
