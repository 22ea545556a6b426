import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// `session` in a context on a real bus, with a logind of dbusmock's made by hand.
@Suite(.enabled(if: PrivateBus.isInstalled)) struct MockedSessionTests {
  private let bus: PrivateBus

  init() throws { bus = try PrivateBus() }

  private func open(_ allow: Allowance = .all) throws -> Context {
    // Of these addresses nothing but `=` and `,` has a meaning of its own.
    let address = bus.address.split(separator: "=", omittingEmptySubsequences: false)
      .joined(separator: "%3D")
    return try Context.open("local:bus=\(address)", allow: allow, catalogue: [Session()])
  }

  private func sample(_ source: Source, _ key: String) -> Sample {
    source.allValues[source.properties.firstIndex { $0.key == key } ?? 0]
  }

  /// A daemon with seats; sessions come later, as logind's do.
  private func start(seats: [String] = ["seat0"]) throws -> ChildProcess {
    let child = try bus.mock(PlayedLogin.name, PlayedLogin.root, PlayedLogin.manager)
    try bus.tell(
      PlayedLogin.name, PlayedLogin.root, "AddProperties", .string(PlayedLogin.manager),
      Self.table(PlayedLogin.calm))
    for (method, folder, sign) in [
      ("ListSeats", "seat", "a(so)"), ("ListSessions", "session", "a(susso)"),
    ] {
      let row = folder == "seat" ? "(k, k)" : "(k, 0, '', '', k)"
      try bus.tell(
        PlayedLogin.name, PlayedLogin.root, "AddMethod", .string(PlayedLogin.manager),
        .string(method), .string(""), .string(sign),
        .string("ret = [\(row) for k in objects.keys() if '/\(folder)/' in k]"))
    }
    for seat in seats {
      try add(
        PlayedLogin.path(seat: seat), LoginSeats.seat,
        ["Id": .string(seat), "ActiveSession": PlayedLogin.reference(nil)])
      try bus.tell(
        PlayedLogin.name, PlayedLogin.path(seat: seat), "AddMethod", .string(LoginSeats.seat),
        .string("Show"), .string("(so)"), .string(""), .string(Self.showing))
    }
    return child
  }

  /// Another session is the active one of a seat; dbusmock itself changes no structures.
  private static let showing = """
    self.props['\(LoginSeats.seat)']['ActiveSession'] = args[0]
    self.EmitSignal(
        dbus.PROPERTIES_IFACE, 'PropertiesChanged', 'sa{sv}as',
        ['\(LoginSeats.seat)', {'ActiveSession': args[0]}, []])
    """

  private static func table(_ properties: [String: BusValue]) -> BusValue {
    .dictionary(of: "sv", properties.map { BusPair(.string($0.key), .variant($0.value)) })
  }

  private func add(
    _ path: String, _ interface: String, _ properties: [String: BusValue]
  ) throws {
    try bus.tell(
      PlayedLogin.name, PlayedLogin.root, "AddObject", .string(path), .string(interface),
      Self.table(properties), .array(of: "(ssss)", []))
  }

  private func emit(_ signal: String, _ signature: String, _ arguments: BusValue...) throws {
    try bus.tell(
      PlayedLogin.name, PlayedLogin.root, "EmitSignal", .string(PlayedLogin.manager),
      .string(signal), .string(signature), .array(of: "v", arguments.map { .variant($0) }))
  }

  /// A user logs in.
  private func begin(_ number: String, _ properties: [String: BusValue] = [:]) throws {
    let path = PlayedLogin.path(session: number)
    try add(path, LoginSeats.session, PlayedLogin.desktop.merging(properties) { $1 })
    try emit("SessionNew", "so", .string(number), .path(path))
  }

  private func end(_ number: String) throws {
    let path = PlayedLogin.path(session: number)
    try bus.tell(PlayedLogin.name, PlayedLogin.root, "RemoveObject", .string(path))
    try emit("SessionRemoved", "so", .string(number), .path(path))
  }

  private func update(
    _ path: String, _ interface: String, _ properties: [String: BusValue]
  ) throws {
    try bus.tell(
      PlayedLogin.name, path, "UpdateProperties", .string(interface), Self.table(properties))
  }

  private func show(_ number: String?, on seat: String = "seat0") throws {
    try bus.tell(
      PlayedLogin.name, PlayedLogin.path(seat: seat), "Show", PlayedLogin.reference(number),
      interface: LoginSeats.seat)
  }

  private func set(_ number: String, _ properties: [String: BusValue]) throws {
    try update(PlayedLogin.path(session: number), LoginSeats.session, properties)
  }

  private func waits(_ source: Source, _ key: String, _ payload: Value) -> Bool {
    Patience.wait { sample(source, key).payload == payload }
  }

  @Test func `13.6 users come, go idle, lock, switch and leave, each told by a signal`() throws {
    let logind = try start()
    let context = try open()
    let source = try context.open("session|seat0")
    try source.startUpdating(every: 600_000_000_000)
    #expect(waits(source, "present", .bool(false)))
    #expect(sample(source, "user").absence?.reason == "no user is logged in there")
    try begin("2")
    try show("2")
    #expect(waits(source, "present", .bool(true)))
    #expect(sample(source, "user").payload == .string("ada"))
    try set("2", ["IdleHint": .bool(true)])
    #expect(waits(source, "idle", .bool(true)))
    #expect(sample(source, "present").payload == .bool(false))
    try set("2", ["IdleHint": .bool(false), "LockedHint": .bool(true)])
    #expect(waits(source, "locked", .bool(true)))
    try begin("3", ["Name": .string("bob")])
    try show("3")
    #expect(waits(source, "user", .string("bob")))
    #expect(sample(source, "present").payload == .bool(true))
    #expect(sample(source, "session_count").payload == .int(2))
    try end("2")
    #expect(waits(source, "session_count", .int(1)))
    // The greeter takes the seat.
    try begin("4", ["Class": .string("greeter"), "Name": .string("gdm")])
    try show("4")
    try end("3")
    #expect(waits(source, "present", .bool(false)))
    #expect(sample(source, "user").absence?.reason == "no user is logged in there")
    try context.close()
    withExtendedLifetime(logind) {}
  }

  @Test func `13.6 two seats, and one more that comes and goes`() throws {
    let logind = try start(seats: ["seat0", "seat1"])
    try begin("2")
    try show("2")
    try begin("3", ["Seat": PlayedLogin.seat("seat1"), "LockedHint": .bool(true)])
    try show("3", on: "seat1")
    let context = try open()
    try context.rescan()
    let ids = { try context.sources().map(\.id.description) }
    #expect(
      try ids() == [
        "session|aggregate", "session|seat0", "session|seat1", "session|remote",
      ])
    let all = try context.open("session")
    try all.startUpdating(every: 600_000_000_000)
    #expect(waits(all, "present", .bool(true)))
    #expect(sample(all, "session_count").payload == .int(2))
    #expect(sample(all, "locked").payload == .bool(false))
    try set("2", ["LockedHint": .bool(true)])
    #expect(waits(all, "locked", .bool(true)))
    #expect(sample(all, "present").payload == .bool(false))
    let path = PlayedLogin.path(seat: "seat2")
    try add(
      path, LoginSeats.seat,
      ["Id": .string("seat2"), "ActiveSession": PlayedLogin.reference(nil)])
    try emit("SeatNew", "so", .string("seat2"), .path(path))
    #expect(Patience.wait { (try? ids().contains("session|seat2")) == true })
    try bus.tell(PlayedLogin.name, PlayedLogin.root, "RemoveObject", .string(path))
    try emit("SeatRemoved", "so", .string("seat2"), .path(path))
    #expect(Patience.wait { (try? ids().contains("session|seat2")) == false })
    try context.close()
    withExtendedLifetime(logind) {}
  }

  @Test func `13.6 a text session is asked for what no signal tells`() throws {
    let logind = try start()
    let seen = UInt64(PlayedLogin.monotonic / 1000 - 30_000_000)
    try begin(
      "5",
      [
        "Type": .string("tty"), "Seat": PlayedLogin.seat(nil),
        "IdleSinceHintMonotonic": .uint64(seen),
      ])
    let context = try open()
    try context.rescan()
    let source = try context.open("session|remote")
    _ = try source.updateValues()
    #expect(sample(source, "present").payload == .bool(true))
    #expect(sample(source, "idle_time").payload == .double(0))
    // Its terminal has not been used for so long that logind says so, and sends nothing.
    try bus.tell(
      PlayedLogin.name, PlayedLogin.path(session: "5"), "AddMethod", .string(LoginSeats.session),
      .string("Rest"), .string(""), .string(""),
      .string("self.props['\(LoginSeats.session)']['IdleHint'] = True"))
    try bus.tell(
      PlayedLogin.name, PlayedLogin.path(session: "5"), "Rest", interface: LoginSeats.session)
    _ = try source.updateValues()
    #expect(sample(source, "present").payload == .bool(false))
    let time = try #require(sample(source, "idle_time").payload?.number)
    #expect((30..<90).contains(time))
    try context.close()
    withExtendedLifetime(logind) {}
  }

  @Test func `H4 logind is started again, and not ready at once`() throws {
    var logind = try start()
    try begin("2")
    try show("2")
    let context = try open()
    let source = try context.open("session|seat0")
    try source.startUpdating(every: 600_000_000_000)
    #expect(waits(source, "present", .bool(true)))
    logind.end()
    #expect(Patience.wait { source.availability.state != .available })
    // It owns its name before it answers what seats there are, and finds its seat after that.
    logind = try start()
    let seat = PlayedLogin.path(seat: "seat0")
    try emit("SeatNew", "so", .string("seat0"), .path(seat))
    #expect(Patience.wait { source.availability.state == .available })
    #expect(waits(source, "present", .bool(false)))
    try begin("3", ["Name": .string("bob")])
    try show("3")
    #expect(waits(source, "user", .string("bob")))
    try context.close()
    withExtendedLifetime(logind) {}
  }

  @Test func `13.6 sleep and shutdown are announced, and what forbids them`() throws {
    let logind = try start()
    let context = try open(.none)
    let source = try context.open("session")
    try source.startUpdating(every: 600_000_000_000)
    #expect(waits(source, "preparing_for_sleep", .bool(false)))
    for (signal, key) in [
      ("PrepareForSleep", "preparing_for_sleep"), ("PrepareForShutdown", "preparing_for_shutdown"),
    ] {
      for flag in [true, false] {
        try emit(signal, "b", .bool(flag))
        #expect(waits(source, key, .bool(flag)), "\(key)")
      }
    }
    try update(
      PlayedLogin.root, PlayedLogin.manager, ["BlockInhibited": .string("shutdown:idle")])
    #expect(waits(source, "inhibited", .string("shutdown idle")))
    try context.close()
    withExtendedLifetime(logind) {}
  }

  @Test func `P1 without its category logind is asked for no session`() throws {
    let logind = try start()
    try begin("2")
    try show("2")
    let context = try open(.none)
    try context.rescan()
    for row in try context.sources() {
      let source = try context.open(row.id)
      _ = try source.updateValues()
      #expect(sample(source, "present").status == .permission)
    }
    let asked = { () throws -> Int in
      let calls = try bus.tell(
        PlayedLogin.name, PlayedLogin.root, "GetMethodCalls", .string("ListSessions"))
      return calls.first?.elements?.count ?? 0
    }
    #expect(try asked() == 0)
    try context.setAllow(Allowance(categories: [.activity]))
    let source = try context.open("session|seat0")
    _ = try source.updateValues()
    #expect(sample(source, "present").payload == .bool(true))
    #expect(try asked() >= 1)
    try context.close()
    withExtendedLifetime(logind) {}
  }
}
