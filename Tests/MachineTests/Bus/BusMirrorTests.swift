import Testing

@testable import Machine

/// The mirror alone: what it asks for, and what it makes of answers and signals in every order.
@Suite struct BusMirrorTests {
  private static let interface = "org.example.Item"
  private static let name = "org.example.Store"
  private static let managed = BusService(
    name, objects: .managed(root: "/"), unit: "store.service", package: "store")
  private static let counted = BusService(
    name, objects: .managed(root: "/"), readings: ["Count"], unit: "store.service",
    package: "store")
  private static let listed = BusService(
    name,
    objects: .listed(
      by: BusService.Listing(
        BusService.ObjectInterface("/store", name), method: "List", added: "Added",
        removed: "Removed",
        interface: interface), and: [BusService.ObjectInterface("/store", name)]),
    unit: "store.service", package: "store")

  private var mirror = BusMirror(managed)
  private var asked: [(BusMirror.Query, BusCall, Int)] = []
  private var published = 0

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

  private static func objects(_ count: Int16, at path: String = "/1") -> BusValue {
    let properties = BusValue.dictionary(
      of: "sv", [BusPair(.string("Count"), .variant(.int16(count)))])
    let interfaces = BusValue.dictionary(
      of: "sa{sv}", [BusPair(.string(interface), properties)])
    return .dictionary(of: "oa{sa{sv}}", [BusPair(.path(path), interfaces)])
  }

  private static func signal(
    _ interface: String, _ member: String, at path: String, from sender: String = ":1.1",
    _ arguments: [BusValue]
  ) -> BusSignal {
    BusSignal(
      sender: sender, path: path, interface: interface, member: member, arguments: arguments)
  }

  private static func owner(_ old: String, _ new: String) -> BusSignal {
    signal(
      "org.freedesktop.DBus", "NameOwnerChanged", at: "/org/freedesktop/DBus",
      from: "org.freedesktop.DBus", [.string(name), .string(old), .string(new)])
  }

  private var count: BusValue? { mirror.view.objects["/1"]?[Self.interface, "Count"] }

  @Test mutating func `the owner is asked for, and then by its own name for all it has`() {
    act(mirror.begin())
    #expect(asked.map(\.1.member) == ["GetNameOwner"])
    answer([.string(":1.1")])
    #expect(asked.map(\.1.member) == ["GetManagedObjects"])
    #expect(asked.first?.1.destination == ":1.1")
    #expect(mirror.view.state == .asking && published == 0)
    answer([Self.objects(3)])
    #expect(mirror.view.isRunning && published == 1)
    #expect(count == .int16(3))
  }

  @Test mutating func `what one owner answers does not count once there is another`() {
    act(mirror.begin())
    answer([.string(":1.1")])
    act(mirror.receive(Self.owner(":1.1", ":1.2")))
    #expect(asked.map(\.1.destination) == [":1.1", ":1.2"])
    answer([Self.objects(3)])
    #expect(mirror.view.state == .asking)
    answer([Self.objects(4)])
    #expect(count == .int16(4))
    // Nor do its signals.
    act(
      mirror.receive(
        Self.signal(
          "org.freedesktop.DBus.Properties", "PropertiesChanged", at: "/1", from: ":1.1",
          [
            .string(Self.interface),
            .dictionary(of: "sv", [BusPair(.string("Count"), .variant(.int16(9)))]),
            .array(of: "s", []),
          ])))
    #expect(count == .int16(4))
  }

  @Test func `a change of readings alone is published as such`() {
    var mirror = BusMirror(Self.counted)
    _ = mirror.begin()
    _ = mirror.take(.success([.string(":1.1")]), to: .owner, round: 1)
    _ = mirror.take(.success([Self.objects(3)]), to: .managed, round: 2)
    func change(_ name: String, losing lost: [BusValue] = []) -> [BusMirror.Action] {
      mirror.receive(
        Self.signal(
          BusMirror.properties, "PropertiesChanged", at: "/1",
          [
            .string(Self.interface),
            .dictionary(of: "sv", [BusPair(.string(name), .variant(.int16(9)))]),
            .array(of: "s", lost),
          ]))
    }
    #expect(change("Count") == [.publishReadings])
    #expect(mirror.view.objects["/1"]?[Self.interface, "Count"] == .int16(9))
    #expect(change("Count", losing: [.string("Name")]) == [.publish])
    #expect(change("Name") == [.publish])
  }

  @Test func `an object tells what signals changed, and when anything else has happened`() throws {
    var object = BusObject([Self.interface: ["Count": .int16(1)]])
    #expect(object.change == nil)
    object.take(["Count": .int16(2)], of: Self.interface)
    let first = try #require(object.change)
    #expect(first.names == ["Count"] && first.former == nil)
    object.take([:], without: ["Count"], of: Self.interface)
    let second = try #require(object.change)
    #expect(second.names == ["Count"] && second.former == first.number)
    #expect(object[Self.interface, "Count"] == nil)
    object.take(["Count": .int16(3)], of: "org.example.Other")
    #expect(object.change == nil && object.interfaces == [Self.interface: [:]])
    object.interfaces[Self.interface]?["Count"] = .int16(4)
    #expect(object.change == nil)
  }

  @Test mutating func `an answer that comes too late is taken all the same`() {
    act(mirror.begin())
    answer([.string(":1.1")])
    let (query, _, round) = asked[0]
    act(mirror.miss(query, round: round))
    guard case .absent(let failure) = mirror.view.state else {
      Issue.record("\(mirror.view)")
      return
    }
    #expect(failure.cause == .timedOut && published == 1)
    answer([Self.objects(3)])
    #expect(mirror.view.isRunning && count == .int16(3))
  }

  @Test mutating func `H4 a service that answered with an error is asked again`() {
    act(mirror.begin())
    answer([.string(":1.1")])
    let early = BusFailure(.unsupported, message: "not yet")
    let (query, _, round) = asked.removeFirst()
    act(mirror.take(.failure(early), to: query, round: round))
    #expect(mirror.isRefused && !mirror.view.isRunning)
    act(mirror.askAgain())
    #expect(!mirror.isRefused && mirror.askAgain() == [] && asked.map(\.1.destination) == [":1.1"])
    // What was shown stays until the answer is there.
    #expect(!mirror.view.isRunning)
    answer([Self.objects(3)])
    #expect(mirror.view.isRunning && !mirror.isRefused)
    // One that is gone is waited for.
    act(mirror.receive(Self.owner(":1.1", "")))
    #expect(!mirror.isRefused && mirror.askAgain() == [])
  }

  @Test mutating func `objects that are listed are shown when all have answered`() {
    mirror = BusMirror(Self.listed)
    act(mirror.begin())
    answer([.string(":1.1")])
    #expect(asked.map(\.1.member) == ["List", "GetAll"])
    answer([.array(of: "o", [.path("/1"), .path("/2")])])
    answer([.dictionary(of: "sv", [])])
    // One goes before it has answered, one comes.
    act(mirror.receive(Self.signal(Self.name, "Removed", at: "/store", [.path("/2")])))
    act(mirror.receive(Self.signal(Self.name, "Added", at: "/store", [.path("/3")])))
    #expect(asked.count == 3 && published == 0)
    let one = BusValue.dictionary(
      of: "sv", [BusPair(.string("Count"), .variant(.int16(1)))])
    answer([one])
    answer([one])
    answer([one])
    #expect(mirror.view.isRunning)
    #expect(Set(mirror.view.objects.keys) == ["/store", "/1", "/3"])
    act(mirror.receive(Self.signal(Self.name, "Removed", at: "/store", [.path("/1")])))
    #expect(Set(mirror.view.objects.keys) == ["/store", "/3"])
  }

  @Test(arguments: [
    [], [BusValue.string("x")], [.dictionary(of: "sv", [])],
    [.dictionary(of: "ss", [BusPair(.string("/1"), .string("x"))])], [.array(of: "s", [])],
  ])
  func `answers of other types than agreed are data, never a trap`(values: [BusValue]) {
    var mirror = BusMirror(Self.managed)
    var actions = mirror.begin()
    actions = mirror.take(.success([.string(":1.1")]), to: .owner, round: 1)
    guard case .ask(let query, _, let round)? = actions.first else {
      Issue.record("\(actions)")
      return
    }
    _ = mirror.take(.success(values), to: query, round: round)
    #expect(mirror.view.objects.isEmpty)
    for member in ["PropertiesChanged", "InterfacesAdded", "InterfacesRemoved"] {
      for interface in [BusMirror.properties, BusMirror.manager] {
        _ = mirror.receive(Self.signal(interface, member, at: "/1", values))
      }
    }
    #expect(mirror.view.objects.isEmpty)
  }

  @Test func `a huge tree is cut where there is no room for more`() {
    var mirror = BusMirror(Self.managed)
    _ = mirror.begin()
    let actions = mirror.take(.success([.string(":1.1")]), to: .owner, round: 1)
    guard case .ask(let query, _, let round)? = actions.first else {
      Issue.record("\(actions)")
      return
    }
    let pairs = (0..<10_000).flatMap { Self.objects(1, at: "/\($0)").pairs ?? [] }
    _ = mirror.take(
      .success([.dictionary(of: "oa{sa{sv}}", pairs)]), to: query, round: round)
    #expect(mirror.view.objects.count == BusMirror.room)
    let added = Self.signal(
      BusMirror.manager, "InterfacesAdded", at: "/",
      [.path("/more"), .dictionary(of: "sa{sv}", [])])
    _ = mirror.receive(added)
    #expect(mirror.view.objects.count == BusMirror.room)
  }
}
