import Testing

@testable import Machine

/// The mirror of an object and of the one its property names.
@Suite struct BusLeadTests {
  private static let item = "org.example.Item"
  private static let link = "org.example.Link"
  private static let service = BusService(
    "org.example.Store", objects: .fixed([BusService.ObjectInterface("/link", link)]),
    leads: [BusService.Lead(link, "To", to: item)], unit: "store.service", package: "store")

  private var mirror = BusMirror(service)
  private var asked: [(BusMirror.Query, BusCall, Int)] = []
  private var published = 0

  init() {
    act(mirror.begin())
    answer([.string(":1.1")])
  }

  private mutating func act(_ actions: [BusMirror.Action]) {
    for action in actions {
      switch action {
      case .ask(let query, let call, let round): asked.append((query, call, round))
      case .publish, .publishReadings: published += 1
      }
    }
  }

  private mutating func answer(_ values: [BusValue]) {
    let (query, _, round) = asked.removeFirst()
    act(mirror.take(.success(values), to: query, round: round))
  }

  private static func table(_ name: String, _ value: BusValue) -> BusValue {
    .dictionary(of: "sv", [BusPair(.string(name), .variant(value))])
  }

  private mutating func change(
    _ path: String, _ interface: String, _ name: String, _ value: BusValue
  ) {
    act(
      mirror.receive(
        BusSignal(
          sender: ":1.1", path: path, interface: BusMirror.properties,
          member: "PropertiesChanged",
          arguments: [.string(interface), Self.table(name, value), .array(of: "s", [])])))
  }

  private var open: [String] { asked.map(\.1.path) }
  private var counts: [String: BusValue] {
    mirror.view.objects.compactMapValues { $0[Self.item, "Count"] }
  }

  @Test mutating func `what an object leads to is shown with it, and followed`() {
    answer([Self.table("To", .path("/1"))])
    #expect(open == ["/1"] && published == 0)
    answer([Self.table("Count", .int16(1))])
    #expect(mirror.view.isRunning && published == 1)
    #expect(counts == ["/1": .int16(1)])
    change("/1", Self.item, "Count", .int16(2))
    #expect(counts == ["/1": .int16(2)] && published == 2 && asked.isEmpty)
  }

  @Test mutating func `what was known stays in sight until what is led to now has told all`() {
    answer([Self.table("To", .path("/1"))])
    answer([Self.table("Count", .int16(1))])
    change("/link", Self.link, "To", .path("/2"))
    #expect(open == ["/link"] && published == 1)
    // It goes on while it is being asked.
    answer([Self.table("To", .path("/2"))])
    change("/link", Self.link, "To", .path("/3"))
    #expect(open == ["/2", "/link"])
    answer([Self.table("Count", .int16(2))])
    #expect(counts == ["/1": .int16(1)] && published == 1)
    answer([Self.table("To", .path("/3"))])
    answer([Self.table("Count", .int16(3))])
    #expect(counts == ["/3": .int16(3)] && published == 2 && asked.isEmpty)
    // One that is led to no more is not followed.
    change("/1", Self.item, "Count", .int16(9))
    #expect(counts == ["/3": .int16(3)] && published == 2)
  }

  @Test mutating func `what leads nowhere, or to nothing, costs itself only`() {
    answer([Self.table("To", .path("/"))])
    #expect(mirror.view.isRunning && published == 1 && asked.isEmpty)
    change("/link", Self.link, "To", .path("/gone"))
    answer([Self.table("To", .path("/gone"))])
    let (query, _, round) = asked.removeFirst()
    let gone = BusFailure(.noObject, message: "no such object")
    act(mirror.take(.failure(gone), to: query, round: round))
    #expect(mirror.view.isRunning && published == 2)
    #expect(Set(mirror.view.objects.keys) == ["/link"])
  }

  @Test(arguments: [BusValue.string("/1"), .uint32(1), .array(of: "o", [.path("/1")])])
  mutating func `E2 a lead of another type leads nowhere`(value: BusValue) {
    answer([Self.table("To", value)])
    #expect(mirror.view.isRunning && asked.isEmpty)
  }
}
