import Machine
import Testing
import Values

@testable import Gathering

/// A kind in words, whatever kind it is: C API R26.
struct KindDictionaryTests {
  private let row = Sail().dictionary

  @Test func `C API R26: a kind that no other place knows is described whole`() {
    #expect(
      row.keys == [
        "kind", "name", "meaning", "origin", "instances", "has_aggregate", "default_interval_ns",
        "min_interval_ns", "event_driven", "category", "permits", "simulated", "properties",
      ])
    #expect(row["kind"] == .string("sail"))
    #expect(row["name"] == .string("Sail"))
    #expect(row["meaning"] == .string("how the boat is moved"))
    #expect(row["origin"] == .string("/sys/class/sail"))
    #expect(row["instances"] == .string("the sails"))
    #expect(row["has_aggregate"] == .bool(true))
    #expect(row["default_interval_ns"] == .int(2_000_000_000))
    #expect(row["min_interval_ns"] == .int(500_000_000))
    #expect(row["event_driven"] == .bool(true))
    #expect(row["category"] == .string("location"))
    #expect(row["permits"] == .list([.string("bluetooth_discovery")]))
    #expect(row["simulated"] == .list([.string("sim:phone")]))
  }

  @Test func `C API R7: a property has the members that it has something for`() {
    #expect(
      properties[0]
        == ValueDictionary([
          ("key", .string("course")), ("name", .string("Course")),
          ("meaning", .string("meaning of 0")), ("origin", .string("origin of 0")),
          ("type", .string("double")), ("unit", .string("deg")), ("mode", .string("continuous")),
          ("flags", .list([.string("writable"), .string("derived")])), ("minimum", .double(0)),
          ("maximum", .double(360)), ("resolution", .double(0.5)),
        ]))
    #expect(
      properties[1]
        == ValueDictionary([
          ("key", .string("wind")), ("name", .string("Wind")),
          ("meaning", .string("meaning of 1")), ("origin", .string("origin of 1")),
          ("type", .string("vector")), ("unit", .string("m/s")), ("mode", .string("onChange")),
          ("flags", .list([])), ("components", .list([.string("x"), .string("y")])),
          ("minimum", .double(0)),
        ]))
    #expect(
      properties[2]
        == ValueDictionary([
          ("key", .string("trim")), ("name", .string("Trim")),
          ("meaning", .string("meaning of 2")), ("origin", .string("origin of 2")),
          ("type", .string("enum")), ("mode", .string("oneShot")),
          ("flags", .list([.string("config")])), ("words", .list([.string("in"), .string("out")])),
        ]))
    #expect(
      properties[3]
        == ValueDictionary([
          ("key", .string("port")), ("name", .string("Port")),
          ("meaning", .string("meaning of 3")), ("origin", .string("origin of 3")),
          ("type", .string("string")), ("mode", .string("static")),
          ("flags", .list([.string("personal"), .string("counter")])),
          ("category", .string("serial")),
        ]))
  }

  @Test func `a kind that says nothing about itself is described without words`() {
    #expect(Plain().dictionary["meaning"] == .string(""))
    #expect(Plain().dictionary["category"] == nil)
    #expect(Plain().dictionary["simulated"] == .list([]))
  }

  private var properties: [ValueDictionary] {
    guard case .list(let rows)? = row["properties"] else { return [] }
    return rows.compactMap { if case .dictionary(let row) = $0 { row } else { nil } }
  }
}

private struct Sail: SourceKind {
  let kind = "sail"
  let name = "Sail"
  let meaning = KindMeaning(
    "how the boat is moved", from: "/sys/class/sail", instances: "the sails")
  let properties = [
    Property(
      "course", .double, unit: "deg", .continuous, [.writable, .derived], range: 0...360,
      resolution: 0.5),
    Property(
      "wind", .vector(components: ["x", "y"]), unit: "m/s", .onChange,
      range: 0...Double.greatestFiniteMagnitude),
    Property("trim", .enumeration(["in", "out"]), .oneShot, .config),
    Property("port", .string, .static, .counter, category: .serial),
  ]
  let intervals = Intervals(seconds: 2, minimum: 0.5, eventDriven: true)
  let category: PrivacyCategory? = .location
  let permittedActions: [PrivacyCategory] = [.bluetoothDiscovery]
  let hasAggregate = true

  func meaning(ofPropertyAt index: Int) -> Meaning {
    Meaning("meaning of \(index)", from: "origin of \(index)")
  }

  func simulated(on device: BuiltInDevice) -> String {
    device == .phone ? "0 add sail|jib" : ""
  }

  func discover(on machine: Machine) -> Discovery {
    Discovery([], orElse: Availability(.noHardware))
  }

  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? { nil }
}

private struct Plain: SourceKind {
  let kind = "plain"
  let name = "Plain"
  let properties: [Property] = []
  let intervals = Intervals(seconds: 1, minimum: 1)

  func discover(on machine: Machine) -> Discovery {
    Discovery([], orElse: Availability(.noHardware))
  }

  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? { nil }
}
