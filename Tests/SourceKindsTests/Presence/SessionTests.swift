import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// `session` on a bus on which logind is played (catalogue 13.6).
@Suite struct SessionTests {
  @Test func `13.6 seats by name, then what is remote, after all as one`() throws {
    let login = try PlayedLogin()
    login.run(seats: ["seat10": nil, "seat-b": nil, "seat0": "2"], sessions: ["2": [:]])
    let harness = KindHarness(Session(), machine: login.fixture.machine)
    #expect(harness.names == ["aggregate", "seat-b", "seat0", "seat10", "remote"])
    #expect(harness.instance("remote")?.availability.state == .available)
    login.run(seats: [:])
    #expect(harness.names == ["aggregate", "remote"])
  }

  @Test func `every field comes from its property`() throws {
    let login = try PlayedLogin()
    login.run(sessions: ["2": ["IdleHint": .bool(true)], "7": [:]])
    let values = try login.read("seat0")
    #expect(values["present"] == .ok(.bool(false)))
    #expect(values["idle"] == .ok(.bool(true)))
    #expect(values["idle_since"] == .ok(.time(1_700_000_100_000_000_000)))
    let begin = Double(PlayedLogin.monotonic) / 1e9 - 100
    let idle = try #require(values["idle_time"]?.number)
    #expect(idle <= max(begin, 0) && idle > begin - 60)
    #expect(values["locked"] == .ok(.bool(false)))
    #expect(values["session_count"] == .ok(.int(2)))
    #expect(values["type"] == .ok(.string("wayland")))
    #expect(values["desktop"] == .ok(.string("GNOME")))
    #expect(values["user"] == .ok(.string("ada")))
    #expect(values["since"] == .ok(.time(1_700_000_000_000_000_000)))
    #expect(values["preparing_for_sleep"] == .ok(.bool(false)))
    #expect(values["preparing_for_shutdown"] == .ok(.bool(false)))
    #expect(values["inhibited"] == .ok(.string("handle-lid-switch sleep")))
    let harness = KindHarness(Session(), machine: login.fixture.machine)
    for (key, place) in [
      ("idle", "Session.IdleHint"), ("user", "Session.Name"), ("since", "Session.Timestamp"),
      ("preparing_for_sleep", "Manager.PreparingForSleep"),
      ("inhibited", "Manager.BlockInhibited"),
    ] {
      #expect(try harness.raw("seat0", key)?.place == "org.freedesktop.login1.\(place)")
    }
  }

  @Test(
    arguments: [
      ([:], true, "ok"), (["LockedHint": .bool(true)], false, "ok"),
      (["IdleHint": .bool(true)], false, "ok"),
      (PlayedLogin.never, nil, "this desktop does not tell logind"),
      (PlayedLogin.never.merging(["LockedHint": .bool(true)]) { $1 }, false, "ok"),
      (["IdleHint": .string("no")], nil, "IdleHint is"),
    ] as [([String: BusValue], Bool?, String)])
  func `13.6 present is neither idle nor locked, and unknown what no desktop tells`(
    properties: [String: BusValue], isPresent: Bool?, reason: String
  ) throws {
    let login = try PlayedLogin()
    login.run(sessions: ["2": properties])
    for instance in ["seat0", "aggregate"] {
      let present = try #require(try login.read(instance)["present"])
      #expect(present.flag == isPresent, "\(instance)")
      if isPresent == nil {
        #expect(present.absence?.reason.hasPrefix(reason) == true, "\(instance)")
      }
    }
  }

  @Test func `13.6 sway is told how to speak, and that a screen is not locked is a guess`() throws {
    let login = try PlayedLogin()
    login.run(sessions: ["2": PlayedLogin.never.merging(["Desktop": .string("sway")]) { $1 }])
    let values = try login.read("seat0")
    #expect(values["idle"]?.absence?.remedy == "run swayidle with idlehint")
    #expect(values["locked"] == .ok(.bool(false), lowAccuracy: true))
  }

  @Test func `13.6 a session that was locked once has told`() throws {
    let login = try PlayedLogin()
    let kind = Session()
    login.run(sessions: ["2": PlayedLogin.never])
    let instance = try #require(
      kind.discover(on: login.fixture.machine).instances.first { $0.name == "seat0" })
    let reader = try #require(try kind.open(instance, on: login.fixture.machine))
    var reading = Reading(properties: kind.properties.count)
    for (isLocked, isGuess) in [(false, true), (true, false), (false, false)] {
      login.bus.report(
        PlayedLogin.name, PlayedLogin.path(session: "2"), LoginSeats.session,
        ["LockedHint": .bool(isLocked)])
      reader.read(ReadRequest(scope: .changing, allow: .all), into: &reading)
      #expect(reading[Session.Field.locked].flag == isLocked)
      #expect(reading[Session.Field.locked].isLowAccuracy == isGuess)
    }
  }

  @Test(arguments: ["greeter", "manager", "lock-screen", "background"])
  func `13.6 a greeter is no user: a seat with one is vacant, and says so`(name: String) throws {
    let login = try PlayedLogin()
    login.run(sessions: ["2": ["Class": .string(name)]])
    for instance in ["seat0", "remote", "aggregate"] {
      let values = try login.read(instance)
      #expect(values["present"] == .ok(.bool(false)), "\(instance)")
      #expect(values["session_count"] == .ok(.int(0)), "\(instance)")
      for key in ["idle", "idle_since", "idle_time", "locked", "type", "desktop", "user", "since"] {
        #expect(values[key]?.absence == Session.vacant, "\(instance) \(key)")
      }
    }
  }

  @Test func `13.6 who works from elsewhere is present there, and by the terminal`() throws {
    let login = try PlayedLogin()
    let text: [String: BusValue] = ["Type": .string("tty"), "Seat": PlayedLogin.seat(nil)]
    login.run(seats: ["seat0": nil], sessions: ["5": text])
    #expect(try login.read("seat0")["present"] == .ok(.bool(false)))
    #expect(try login.read("remote")["present"] == .ok(.bool(true)))
    let all = try login.read("aggregate")
    #expect(all["present"] == .ok(.bool(true)))
    #expect(all["type"] == .ok(.string("tty")))
    // No screen of the machine's own is in use, so none is unlocked.
    #expect(all["locked"]?.absence == Session.vacant)
    let asked = login.bus.calls.filter { $0.member == "GetAll" }
    #expect(asked.allSatisfy { $0.path == PlayedLogin.path(session: "5") } && !asked.isEmpty)
  }

  @Test func `E3 a session that ends between list and reading is none`() throws {
    let login = try PlayedLogin()
    let text: [String: BusValue] = ["Type": .string("tty"), "Seat": PlayedLogin.seat(nil)]
    login.run(seats: ["seat0": nil], sessions: ["5": text])
    for (cause, isKnown) in [(BusFailure.Cause.noObject, true), (.timedOut, false)] {
      login.bus.answer("GetAll", with: .failure(BusFailure(cause, message: "gone")))
      let values = try login.read("remote")
      #expect(values["present"]?.flag == (isKnown ? false : nil), "\(cause)")
      #expect(values["session_count"] == .ok(.int(isKnown ? 0 : 1)), "\(cause)")
    }
  }

  @Test func `13.6 a session without a terminal is not taken for a person`() throws {
    let login = try PlayedLogin()
    let text: [String: BusValue] = ["Type": .string("tty"), "Seat": PlayedLogin.seat(nil)]
    login.run(
      seats: ["seat0": nil], sessions: ["5": text.merging(PlayedLogin.never) { $1 }])
    let present = try login.read("remote")["present"]
    #expect(present?.status == .noData)
    #expect(present?.absence?.reason == "the session has no terminal to judge it by")
  }

  @Test func `13.6 what is left of a session that ended counts no more`() throws {
    let login = try PlayedLogin()
    login.run(
      seats: ["seat0": nil], sessions: ["2": ["State": .string("closing")]])
    #expect(try login.read("seat0")["session_count"] == .ok(.int(0)))
  }

  @Test func `13.6 all seats as one: any present, all idle since the last, all locked`() throws {
    let login = try PlayedLogin()
    let other: [String: BusValue] = [
      "Seat": PlayedLogin.seat("seat1"), "IdleHint": .bool(true), "LockedHint": .bool(true),
      "IdleSinceHint": .uint64(1_700_000_200_000_000),
    ]
    let seats: [String: String?] = ["seat0": "2", "seat1": "3"]
    login.run(seats: seats, sessions: ["2": [:], "3": other])
    var all = try login.read("aggregate")
    #expect(all["present"] == .ok(.bool(true)))
    #expect(all["idle"] == .ok(.bool(false)))
    #expect(all["idle_since"]?.absence?.reason == "not idle")
    #expect(all["idle_time"] == .ok(.double(0)))
    #expect(all["locked"] == .ok(.bool(false)))
    #expect(all["session_count"] == .ok(.int(2)))
    #expect(all["user"]?.absence?.reason == "several sessions")
    #expect(all["inhibited"] == .ok(.string("handle-lid-switch sleep")))
    login.run(
      seats: seats,
      sessions: ["2": ["IdleHint": .bool(true), "LockedHint": .bool(true)], "3": other])
    all = try login.read("aggregate")
    #expect(all["present"] == .ok(.bool(false)))
    #expect(all["idle"] == .ok(.bool(true)))
    #expect(all["idle_since"] == .ok(.time(1_700_000_200_000_000_000)))
    #expect(all["idle_time"]?.number != nil)
    #expect(all["locked"] == .ok(.bool(true)))
    // One that does not tell leaves the whole unknown, unless another is there.
    login.run(seats: seats, sessions: ["2": PlayedLogin.never, "3": other])
    #expect(try login.read("aggregate")["present"]?.status == .noData)
    #expect(try login.read("aggregate")["idle"]?.status == .noData)
  }

  @Test(arguments: [
    "Class", "Seat", "State", "Type", "Desktop", "Name", "Timestamp", "IdleHint", "IdleSinceHint",
    "IdleSinceHintMonotonic", "LockedHint",
  ])
  func `V5 a property that is not known, or of another type, is no statement`(
    name: String
  ) throws {
    let login = try PlayedLogin()
    login.run(sessions: ["2": [:]])
    let usual = try login.read("seat0")
    for value: BusValue? in [nil, .double(.nan), .array(of: "s", []), .int64(.min)] {
      login.bus.set(
        PlayedLogin.name, PlayedLogin.path(session: "2"), LoginSeats.session, [name: value])
      for (key, outcome) in try login.read("seat0") where outcome != usual[key] {
        #expect(
          !outcome.hasPayload || outcome.isLowAccuracy || key == "idle_time", "\(name) \(key)")
      }
    }
  }

  @Test func `A1 without logind the kind says which unit to start`() throws {
    let login = try PlayedLogin()
    let found = KindHarness(Session(), machine: login.fixture.machine).discover()
    #expect(found.instances.isEmpty)
    #expect(found.absence.state == .serviceNotRunning)
    #expect(found.absence.remedy == "systemctl start systemd-logind.service # from package systemd")
  }

  @Test func `14 the laptop is left for a minute of each five, and the phone is locked`() throws {
    for (device, moment, isPresent, isIdle, isLocked) in [
      ("laptop", 0, true, false, false), ("laptop", 239, true, false, false),
      ("laptop", 241, false, true, false), ("laptop", 299, false, true, false),
      ("laptop", 301, true, false, false), ("phone", 0, false, true, true),
    ] {
      let context = try Context.open(
        "sim:\(device)&clock=manual", allow: .all, mode: .host, catalogue: SourceCatalogue.all)
      try context.seek(to: Int64(moment) * 1_000_000_000)
      for id in ["session", "session|seat0"] {
        let values = try context.open(id).updateValues()
        let flag = { (field: Session.Field) in values[field.rawValue].payload }
        #expect(flag(.present) == .bool(isPresent), "\(device) \(id) at \(moment) s")
        #expect(flag(.idle) == .bool(isIdle), "\(device) \(id) at \(moment) s")
        #expect(flag(.locked) == .bool(isLocked), "\(device) \(id) at \(moment) s")
        #expect(flag(.sessionCount) == .int(1))
      }
      try context.close()
    }
  }

  @Test func `P1 P3 nothing of a session is told without leave`() throws {
    let login = try PlayedLogin()
    login.run(sessions: ["2": [:]])
    let context = try Context.open(
      on: login.fixture.machine, loop: login.fixture.loop, catalogue: [Session()])
    let source = try context.open("session|seat0")
    for (property, sample) in zip(source.properties, try source.updateValues()) {
      let isOpen = property.category == nil && property.key != "type"
      #expect(sample.status == (isOpen ? .ok : .permission), "\(property.key)")
      if !isOpen { #expect(sample.absence?.remedy == "open the context with allow=activity") }
    }
    try context.setAllow(Allowance(categories: [.activity]))
    for (property, sample) in zip(source.properties, try source.updateValues()) {
      #expect(sample.status == (property.key == "idle_since" ? .noData : .ok), "\(property.key)")
    }
    try context.setAllow(.none)
    for (property, sample) in zip(source.properties, source.allValues)
    where property.category != nil {
      #expect(sample.status == .permission, "\(property.key)")
    }
    #expect(try source.updateValues()[Session.Field.type.rawValue].status == .permission)
    try context.close()
    #expect(login.bus.watchCount(of: PlayedLogin.name) == 0)
  }
}
