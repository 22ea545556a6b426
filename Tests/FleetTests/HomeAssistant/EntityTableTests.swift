import GatheredKitTesting
import Gathering
import SourceKinds
import Testing
import Values

@testable import Fleet

/// The tables that Home Assistant is told by.
struct EntityTableTests {
  @Test(arguments: SourceCatalogue.all.map(\.kind))
  func `F54 of every kind something is shown`(word: String) throws {
    let kind = try SourceCatalogue.kind(named: word)
    let keys = EntityTable.headline(of: word, kind.properties)
    #expect((3...6).contains(keys.count) && Set(keys).count == keys.count, "\(word): \(keys)")
    for key in keys {
      let property = try #require(kind.properties.first { $0.key == key }, "\(word)/\(key)")
      #expect(property.isEntity || property.type == .string, "\(word)/\(key)")
    }
    #expect(kind.properties.contains { keys.contains($0.key) && $0.isEntity })
  }

  @Test func `F54 of a kind without a row its first readings are shown`() {
    let properties = [
      Property("model", .string, .static), Property("limit", .double, unit: "V", .static),
      Property("offset", .double, unit: "V", .onChange, .config),
      Property("field", .vector(components: ["x", "y"]), unit: "uT", .continuous),
      Property("voltage", .double, unit: "V", .continuous), Property("fault", .bool, .onChange),
      Property("acquisition", .enumeration(["polled"]), .onChange),
    ]
    #expect(EntityTable.headline(of: "unheard_of", properties) == ["voltage", "fault"])
  }

  @Test func `F54 no row is of a kind that is not there`() {
    let known = SourceCatalogue.all.map(\.kind) + [FleetTopic.streamKind]
    let rows = EntityTable.headlines.split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.map(String.init)
    }
    #expect(Set(rows).subtracting(known) == [] && Set(rows).count == rows.count)
  }

  @Test func `F56 every unit of the catalogue is told as Home Assistant spells it`() {
    let known = EntityTable.quantities.split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.map(String.init)
    }
    for kind in SourceCatalogue.all {
      for property in kind.properties {
        #expect(known.contains(property.unit ?? "1"), "\(kind.kind)/\(property.key)")
        guard property.type == .int || property.type == .double else { continue }
        let quantity = EntityTable.quantity(of: property, kind: kind.kind)
        let legal = HomeAssistantRules.units[quantity.deviceClass]
        #expect(quantity.deviceClass.isEmpty || legal?.contains(quantity.unit) == true)
      }
    }
  }

  @Test(arguments: [
    ("battery", "level", "1", "%", "100", "battery"), ("fan", "duty", "1", "%", "100", ""),
    ("bluetooth_device", "battery_level", "1", "%", "100", "battery"),
    ("humidity", "relative_humidity", "%", "%", "", "humidity"), ("wifi", "q", "%", "%", "", ""),
    ("altimeter", "pressure", "Pa", "hPa", "0.01", "atmospheric_pressure"),
    ("device_attitude", "roll", "rad", "°", "57.29577951308232", ""),
    ("x", "x", "{apples}", "apples", "", ""),
  ])
  func `F56 units, factors and classes`(
    row: (kind: String, key: String, unit: String, told: String, factor: String, class: String)
  ) {
    let property = Property(
      row.key, .double, unit: row.unit, .continuous, range: row.unit == "1" ? 0...1 : nil)
    #expect(
      EntityTable.quantity(of: property, kind: row.kind)
        == EntityTable.Quantity(unit: row.told, factor: row.factor, deviceClass: row.class))
  }

  @Test func `F56 energy that is counted is another class`() {
    let meter = Property("energy", .double, unit: "J", .continuous, .counter)
    #expect(EntityTable.quantity(of: meter, kind: "battery").deviceClass == "energy")
    #expect(EntityTable.state(of: "lid_closed") == ("opening", true))
    #expect(EntityTable.state(of: "locked") == ("lock", true))
    #expect(EntityTable.state(of: "carrier") == ("connectivity", false))
    #expect(EntityTable.state(of: "docked") == ("", false))
  }

  @Test func `F51 names have only characters that may be, and are each given once`() {
    var names = EntityNames(but: ["a_b": .bool(true)])
    #expect(names.name(["gathered", "pi", "storage", "/home"]) == "gathered_pi_storage__home")
    #expect(names.name(["gathered", "pi", "storage", "_home"]) == "gathered_pi_storage__home_2")
    #expect(names.name(["a", "b_c"]) == "a_b_c" && names.name(["a_b", "c"]) == "a_b_c_2")
    #expect(names.name(["a", "b"]) == "a_b_2")
    #expect(EntityNames.plain("größe+x%y.z-1") == "gr____e_x_y_z-1")
  }
}
