import Testing

@testable import Machine

/// The mirror of a service in oFono's dialect, and of signals that tell a property.
@Suite struct BusDialectTests {
  private static let name = "org.example.Phones"
  private static let phone = "org.example.Phone"
  private static let net = "org.example.Net"
  private static let sim = "org.example.Sim"
  private static let service = BusService(
    name,
    objects: .introduced(
      by: BusService.Listing(
        BusService.ObjectInterface("/", name), method: "List", added: "Added", removed: "Removed",
        interface: phone), naming: "Interfaces", wanted: [net, sim]),
    unit: "phones.service", package: "phones")

  private var mirror = BusMirror(service)
  private var asked: [(query: BusMirror.Query, call: BusCall, round: Int)] = []
  private var published = 0

  private mutating func act(_ actions: [BusMirror.Action]) {
    for action in actions {
      switch action {
      case .ask(let query, let call, let round): asked.append((query, call, round))
      case .publish, .publishReadings: published += 1
      }
    }
  }

  private mutating func answer(_ result: Result<[BusValue], BusFailure>) {
    let (query, _, round) = asked.removeFirst()
    act(mirror.take(result, to: query, round: round))
  }

  private mutating func tell(
    _ interface: String, _ member: String, at path: String, _ arguments: [BusValue],
    from sender: String = ":1.1"
  ) {
    act(
      mirror.receive(
        BusSignal(
          sender: sender, path: path, interface: interface, member: member, arguments: arguments)))
  }

  private mutating func change(_ interface: String, _ name: String, _ value: BusValue) {
    tell(interface, "PropertyChanged", at: "/1", [.string(name), .variant(value)])
  }

  private static func table(_ properties: [String: BusValue]) -> BusValue {
    .dictionary(of: "sv", properties.map { BusPair(.string($0.key), .variant($0.value)) })
  }

  private static func named(_ interfaces: [String]) -> BusValue {
    .array(of: "s", interfaces.map { .string($0) })
  }

  private static func list(_ interfaces: [String], at path: String = "/1") -> BusValue {
    let properties = table(["Interfaces": named(interfaces), "Model": .string("A")])
    return .array(of: "(oa{sv})", [.structure([.path(path), properties])])
  }

  /// Fills the mirror with one object of two interfaces.
  private mutating func fill() {
    act(mirror.begin())
    answer(.success([.string(":1.1")]))
    answer(.success([Self.list([Self.net, Self.sim, "org.example.Calls"])]))
    answer(.success([Self.table(["Strength": .byte(80)])]))
    answer(.success([Self.table(["Pin": .string("none")])]))
  }

  private var object: BusObject? { mirror.view.objects["/1"] }

  @Test mutating func `objects come with their properties, and wanted interfaces are asked`() {
    act(mirror.begin())
    answer(.success([.string(":1.1")]))
    #expect(asked.map(\.call) == [BusCall(":1.1", "/", Self.name, "List")])
    answer(.success([Self.list([Self.net, Self.sim, "org.example.Calls"])]))
    #expect(
      asked.map(\.call)
        == [Self.net, Self.sim].map { BusCall(":1.1", "/1", $0, "GetProperties") })
    #expect(published == 0)
    answer(.success([Self.table(["Strength": .byte(80)])]))
    #expect(published == 0)
    answer(.success([Self.table(["Pin": .string("none")])]))
    #expect(published == 1 && mirror.view.isRunning)
    #expect(object?[Self.phone, "Model"] == .string("A"))
    #expect(object?[Self.net, "Strength"] == .byte(80))
    #expect(object?[Self.sim, "Pin"] == .string("none"))
  }

  @Test mutating func `L4 a change that is told is shown at once`() {
    fill()
    change(Self.net, "Strength", .byte(20))
    #expect(published == 2 && object?[Self.net, "Strength"] == .byte(20))
    #expect(object?.updatedAt["Strength"] != nil)
    change(Self.phone, "Model", .string("B"))
    #expect(object?[Self.phone, "Model"] == .string("B"))
    // Neither another daemon's word nor one about what is not followed counts.
    tell(
      Self.net, "PropertyChanged", at: "/1", [.string("Strength"), .variant(.byte(1))],
      from: ":1.9")
    change("org.example.Calls", "Count", .byte(1))
    tell(Self.net, "PropertyChanged", at: "/2", [.string("Strength"), .variant(.byte(1))])
    #expect(published == 3 && object?[Self.net, "Strength"] == .byte(20))
    #expect(mirror.view.objects.count == 1)
  }

  @Test mutating func `interfaces come and go with the property that names them`() {
    fill()
    change(Self.phone, "Interfaces", Self.named([Self.sim]))
    #expect(object?.interfaces[Self.net] == nil && object?.interfaces[Self.sim] != nil)
    #expect(asked.isEmpty && published == 2)
    change(Self.phone, "Interfaces", Self.named([Self.sim, Self.net]))
    #expect(asked.map(\.call.interface) == [Self.net])
    // One that goes before it has answered is not there, whatever it answers.
    let late = asked[0]
    change(Self.phone, "Interfaces", Self.named([Self.sim]))
    act(mirror.take(.success([Self.table([:])]), to: late.query, round: late.round))
    #expect(object?.interfaces[Self.net] == nil)
    asked = []
    change(Self.phone, "Interfaces", Self.named([Self.net, Self.sim]))
    answer(.success([Self.table(["Strength": .byte(5)])]))
    #expect(object?[Self.net, "Strength"] == .byte(5))
    change(Self.phone, "Interfaces", .string("none"))
    #expect(object?.interfaces.keys.sorted() == [Self.phone])
  }

  @Test mutating func `objects come and go by signals, with what they are said to have`() {
    fill()
    let properties = Self.table(["Interfaces": Self.named([Self.net])])
    tell(Self.name, "Added", at: "/", [.path("/2"), properties])
    #expect(published == 2 && mirror.view.objects["/2"]?.interfaces.count == 1)
    answer(.success([Self.table(["Strength": .byte(7)])]))
    #expect(published == 3 && mirror.view.objects["/2"]?[Self.net, "Strength"] == .byte(7))
    tell(Self.name, "Removed", at: "/", [.path("/1")])
    #expect(published == 4 && Array(mirror.view.objects.keys) == ["/2"])
  }

  @Test mutating func `what is told while it fills is in what is shown then`() {
    act(mirror.begin())
    answer(.success([.string(":1.1")]))
    // What was said before the list is in the list.
    tell(Self.name, "Added", at: "/", [.path("/9"), Self.table([:])])
    answer(.success([Self.list([Self.net, Self.sim])]))
    answer(.success([Self.table(["Strength": .byte(80)])]))
    change(Self.net, "Strength", .byte(20))
    tell(Self.name, "Added", at: "/", [.path("/2"), Self.table([:])])
    #expect(published == 0)
    change(Self.phone, "Interfaces", Self.named([Self.net]))
    #expect(published == 1 && object?[Self.net, "Strength"] == .byte(20))
    #expect(mirror.view.objects.keys.sorted() == ["/1", "/2"])
  }

  @Test mutating func `V5 an interface that refuses or is silent costs itself, and is taken late`()
  {
    act(mirror.begin())
    answer(.success([.string(":1.1")]))
    answer(.success([Self.list([Self.net, Self.sim])]))
    let refusal = BusFailure(name: "org.freedesktop.DBus.Error.AccessDenied", message: "not you")
    answer(.failure(refusal))
    let silent = asked[0]
    act(mirror.miss(silent.query, round: silent.round))
    #expect(mirror.view.isRunning && published == 1)
    #expect(object?.failures[Self.net] == refusal)
    #expect(object?.failures[Self.sim]?.cause == .timedOut)
    change(Self.phone, "Model", .string("B"))
    #expect(object?[Self.phone, "Model"] == .string("B"))
    answer(.success([Self.table(["Pin": .string("pin")])]))
    #expect(object?[Self.sim, "Pin"] == .string("pin") && object?.failures[Self.sim] == nil)
  }

  @Test mutating func `H4 another owner is asked anew, and one that goes leaves nothing`() {
    fill()
    let bus = "org.freedesktop.DBus"
    let names: [BusValue] = [.string(Self.name), .string(":1.1"), .string(":1.2")]
    tell(bus, "NameOwnerChanged", at: "/org/freedesktop/DBus", names, from: bus)
    #expect(asked.map(\.call.destination) == [":1.2"])
    // What was known stays in sight until then.
    #expect(object?[Self.net, "Strength"] == .byte(80))
    answer(.success([Self.list([])]))
    #expect(object?.interfaces.keys.sorted() == [Self.phone])
    let gone: [BusValue] = [.string(Self.name), .string(":1.2"), .string("")]
    tell(bus, "NameOwnerChanged", at: "/org/freedesktop/DBus", gone, from: bus)
    #expect(mirror.view.objects.isEmpty && !mirror.view.isRunning)
  }

  @Test mutating func `a service that does not list cannot be asked, and its words are kept`() {
    act(mirror.begin())
    answer(.success([.string(":1.1")]))
    let refusal = BusFailure(name: "org.freedesktop.DBus.Error.AccessDenied", message: "not you")
    answer(.failure(refusal))
    #expect(mirror.view == BusView(.absent(refusal)))
  }

  @Test(arguments: [
    [], [BusValue.string("x")], [.array(of: "s", [.string("x")])], [.path("/1")],
    [.array(of: "(oa{sv})", [.structure([.path("/x")])])],
    [.array(of: "(oa{sv})", [.structure([.string("/x"), .dictionary(of: "sv", [])])])],
    [.array(of: "(os)", [.structure([.path("/x"), .string("x")])])],
  ])
  func `E2 answers and signals of other types than agreed are data, never a trap`(
    values: [BusValue]
  ) {
    var mirror = BusMirror(Self.service)
    _ = mirror.begin()
    _ = mirror.take(.success([.string(":1.1")]), to: .owner, round: 1)
    _ = mirror.take(.success(values), to: .listed, round: 2)
    #expect(mirror.view == BusView(.running, owner: ":1.1"))
    for interface in [Self.name, Self.phone, Self.net] {
      for member in ["Added", "Removed", "PropertyChanged"] {
        let signal = BusSignal(
          sender: ":1.1", path: "/1", interface: interface, member: member, arguments: values)
        _ = mirror.receive(signal)
      }
    }
    #expect(mirror.view == BusView(.running, owner: ":1.1"))
  }

  @Test func `a huge list is cut where there is no room for more`() {
    var mirror = BusMirror(Self.service)
    _ = mirror.begin()
    _ = mirror.take(.success([.string(":1.1")]), to: .owner, round: 1)
    let many = (0..<10_000).map { number in
      BusValue.structure([.path("/\(number)"), Self.table([:])])
    }
    _ = mirror.take(.success([.array(of: "(oa{sv})", many)]), to: .listed, round: 2)
    #expect(mirror.view.objects.count == BusMirror.room)
  }

  @Test func `subscriptions are to what tells of objects and to what they tell`() {
    for interface in [Self.name, Self.phone, Self.net, Self.sim] {
      #expect(Self.service.matches.contains { $0.hasSuffix("interface='\(interface)'") })
    }
    #expect(Self.service.matches.allSatisfy { $0.hasPrefix("type='signal',sender='") })
  }

  // MARK: Signals that tell a property

  private static let client = BusService.ObjectInterface("/client", "org.example.Client")
  private static let signalling = BusService(
    name, objects: .fixed([client]),
    propertySignals: [BusService.PropertySignal(client, "Place", by: "Moved", argument: 1)],
    unit: "phones.service", package: "phones")

  @Test mutating func `a signal of the object's own tells a property anew`() {
    mirror = BusMirror(Self.signalling)
    act(mirror.begin())
    answer(.success([.string(":1.1")]))
    answer(.success([Self.table(["Place": .path("/")])]))
    tell(Self.client.interface, "Moved", at: "/client", [.path("/"), .path("/home")])
    #expect(published == 2)
    let place = { (mirror: BusMirror) in
      mirror.view.objects["/client"]?[Self.client.interface, "Place"]
    }
    #expect(place(mirror) == .path("/home"))
    // One argument too few, another object, another signal: nothing was told.
    tell(Self.client.interface, "Moved", at: "/client", [.path("/away")])
    tell(Self.client.interface, "Moved", at: "/other", [.path("/"), .path("/away")])
    tell(Self.client.interface, "Left", at: "/client", [.path("/"), .path("/away")])
    #expect(published == 2 && place(mirror) == .path("/home"))
    #expect(mirror.view.objects.count == 1)
    #expect(Self.signalling.matches.contains { $0.hasSuffix("member='Moved'") })
  }
}
