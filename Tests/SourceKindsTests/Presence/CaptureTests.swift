import GatheredKitTesting
import Gathering
import Glibc
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// `capture` on machines of files (catalogue 13.7).
@Suite struct CaptureTests {
  @Test func `13.7 microphones by card, then cameras by name and place, after all as one`() throws {
    let room = try WatchedRoom()
    let harness = KindHarness(Capture(), machine: room.fixture.machine)
    #expect(harness.names == ["aggregate", "PCH.0", WatchedRoom.camera])
    #expect(harness.instance(alias: "video0")?.name == WatchedRoom.camera)
    #expect(harness.instance(alias: "pcmC0D0c")?.name == "PCH.0")
    #expect(harness.instance(WatchedRoom.camera)?.availability.detail == "awake means open")
    try room.fixture.write("6.16.3\n", to: "/proc/sys/kernel/osrelease")
    #expect(harness.instance(WatchedRoom.camera)?.availability.detail == "awake means streaming")
    let bare = KindHarness(Capture(), machine: try FixtureMachine().machine).discover()
    #expect(bare.instances.isEmpty && bare.absence.state == .noHardware)
  }

  @Test func `every field comes from its file`() throws {
    let room = try WatchedRoom()
    let harness = KindHarness(Capture(), machine: room.fixture.machine)
    let camera = try harness.read(WatchedRoom.camera)
    #expect(camera["role"] == .ok(.string("camera")))
    #expect(camera["name"] == .ok(.string("Integrated Camera: Integrated C")))
    #expect(camera["driver"] == .ok(.string("uvcvideo")))
    #expect(camera["built_in"] == .ok(.bool(true)))
    let microphone = try harness.read("PCH.0")
    #expect(microphone["role"] == .ok(.string("microphone")))
    #expect(microphone["name"] == .ok(.string("HDA Intel PCH")))
    #expect(microphone["driver"] == .ok(.string("snd_hda_intel")))
    #expect(microphone["built_in"]?.status == .unsupported)
    for (name, key, place) in [
      ("PCH.0", "in_use", WatchedRoom.status), ("PCH.0", "name", "/proc/asound/cards"),
      (WatchedRoom.camera, "in_use", WatchedRoom.power),
    ] {
      #expect(try harness.raw(name, key)?.place == place)
    }
    for (text, outcome) in [
      ("removable", Outcome.ok(.bool(false))), ("unknown", .noData("reported as unknown")),
    ] {
      try room.fixture.write("\(text)\n", to: "\(WatchedRoom.usb)/removable")
      #expect(try room.read(WatchedRoom.camera)["built_in"] == outcome)
    }
  }

  @Test(
    arguments: [
      ("closed\n", false), ("closed", false), (WatchedRoom.opened("RUNNING"), true),
      (WatchedRoom.opened("DRAINING"), true), (WatchedRoom.opened("OPEN"), false),
      (WatchedRoom.opened("SETUP"), false), (WatchedRoom.opened("PREPARED"), false),
      (WatchedRoom.opened("XRUN"), false), (WatchedRoom.opened("PAUSED"), false),
      (WatchedRoom.opened("SUSPENDED"), false), (WatchedRoom.opened("DISCONNECTED"), false),
      ("state: RUNNING", true), ("state: RUN", nil), ("sta", nil), ("", nil), ("\0\0\0", nil),
      (WatchedRoom.opened("ASLEEP"), nil), ("-1\n", nil),
    ] as [(String, Bool?)])
  func `13.7 a microphone that runs is used, and what cannot be read is not off`(
    text: String, isInUse: Bool?
  ) throws {
    let room = try WatchedRoom([WatchedRoom.status: text])
    let values = try room.read("PCH.0")
    #expect(values["in_use"]?.flag == isInUse)
    #expect(values["evidence"] == .ok(.string(isInUse == nil ? "none" : "stream")))
    if isInUse != true { #expect(values["by"]?.status != .ok && values["since"]?.status != .ok) }
  }

  @Test(
    arguments: [
      ("closed\n", "closed\n", false), ("closed\n", WatchedRoom.opened("RUNNING"), true),
      (WatchedRoom.opened("RUNNING"), "closed\n", true),
      ("odd", WatchedRoom.opened("RUNNING"), true),
      ("odd", "closed\n", nil), ("closed\n", "odd", nil),
      (WatchedRoom.opened("RUNNING"), "odd", true),
    ] as [(String, String, Bool?)])
  func `13.7 any substream that runs counts`(first: String, second: String, isInUse: Bool?) throws {
    let room = try WatchedRoom([
      WatchedRoom.status: first, "/proc/asound/card0/pcm0c/sub1/status": second,
    ])
    #expect(try room.read("PCH.0")["in_use"]?.flag == isInUse)
  }

  @Test(arguments: [EACCES, EIO, ENOENT, EISDIR])
  func `V5 a status that cannot be read is no silence`(code: Int32) throws {
    let room = try WatchedRoom()
    room.fixture.fail(WatchedRoom.status, with: code)
    let values = try room.read("PCH.0")
    #expect(values["in_use"]?.hasPayload == false)
    #expect(values["in_use"]?.absence?.errno == code)
    #expect(values["role"] == .ok(.string("microphone")))
    #expect(try room.read("aggregate")["in_use"]?.hasPayload == false)
  }

  @Test func `13.7 the program of a thread that records is named, as one word`() throws {
    let room = try WatchedRoom([
      WatchedRoom.status: WatchedRoom.opened("RUNNING", by: 77),
      "/proc/asound/card0/pcm0c/sub1/status": WatchedRoom.opened("RUNNING", by: 9),
      "/proc/77/status": "Name:\tdata-loop.0\nTgid:\t70\n", "/proc/77/comm": "data-loop.0\n",
    ])
    try room.run(70, "Web Content")
    #expect(try room.read("PCH.0")["by"] == .ok(.string("Web_Content")))
    try room.run(9, "pipewire")
    #expect(try room.read("PCH.0")["by"] == .ok(.string("Web_Content pipewire")))
    for number in [9, 70] { try room.fixture.remove("/proc/\(number)/comm") }
    let by = try room.read("PCH.0")["by"]
    #expect(by?.status == .noData)
    #expect(by?.absence?.reason == "the program that records is not seen")
  }

  @Test func `13.7 since when is told of what was seen to begin`() throws {
    let room = try WatchedRoom([WatchedRoom.status: WatchedRoom.opened("RUNNING")])
    let kind = Capture()
    let instance = try #require(
      kind.discover(on: room.fixture.machine).instances.first { $0.name == "PCH.0" })
    let reader = try #require(try kind.open(instance, on: room.fixture.machine))
    var reading = Reading(properties: kind.properties.count)
    for (second, text, expected) in [
      (1, WatchedRoom.opened("RUNNING"), Outcome.noData("it began before it was watched")),
      (2, "closed\n", Capture.unused), (3, WatchedRoom.opened("RUNNING"), .ok(.time(3_000))),
      (4, WatchedRoom.opened("DRAINING"), .ok(.time(3_000))), (5, "closed\n", Capture.unused),
      (6, WatchedRoom.opened("RUNNING"), .ok(.time(6_000))),
      (7, "odd\n", .failed("cannot read \"odd\"", errno: EINVAL)),
      (8, WatchedRoom.opened("RUNNING"), .noData("it began before it was watched")),
    ] {
      try room.fixture.write(text, to: WatchedRoom.status)
      reading.instant = Instant(boot: Int64(second) * 1000, realtime: Int64(second) * 1000)
      reader.read(ReadRequest(scope: .changing, allow: .all), into: &reading)
      #expect(reading[Capture.Field.since] == expected, "second \(second)")
    }
  }

  @Test func `13.7 all as one: used if any is, not used if all are known not to be`() throws {
    let room = try WatchedRoom()
    #expect(try room.read("aggregate")["in_use"] == .ok(.bool(false)))
    #expect(try room.read("aggregate")["by"] == Capture.unused)
    try room.fixture.write("active\n", to: WatchedRoom.power)
    var all = try room.read("aggregate")
    #expect(all["in_use"] == .ok(.bool(true), lowAccuracy: true))
    #expect(all["evidence"] == .ok(.string("power")))
    try room.fixture.write(WatchedRoom.opened("RUNNING"), to: WatchedRoom.status)
    try room.run(4321, "arecord")
    all = try room.read("aggregate")
    #expect(all["in_use"] == .ok(.bool(true)))
    #expect(all["by"] == .ok(.string("arecord")))
    #expect(all["evidence"] == .ok(.string("stream")))
    #expect(all["role"]?.status == .noData)
    #expect(all["name"]?.absence?.reason == "several devices")
    try room.fixture.write("closed\n", to: WatchedRoom.status)
    try room.fixture.write("on\n", to: "\(WatchedRoom.usb)/power/control")
    #expect(try room.read("aggregate")["in_use"]?.status == .noData)
  }

  @Test func `14 the camera of the laptop is used for half a minute of each two`() throws {
    for (moment, isInUse) in [(0, false), (89, false), (91, true), (119, true), (121, false)] {
      let context = try Context.open(
        "sim:laptop&clock=manual", allow: .all, mode: .host, catalogue: SourceCatalogue.all)
      try context.seek(to: Int64(moment) * 1_000_000_000)
      let values = try context.open("capture").updateValues()
      #expect(values[Capture.Field.inUse.rawValue].payload == .bool(isInUse), "at \(moment) s")
      try context.close()
    }
  }

  @Test func `M4 a hostile file costs its own values`() throws {
    let room = try WatchedRoom([WatchedRoom.power: "active\n"])
    let use = ["in_use", "evidence", "since", "by"]
    try expectOnlyOwnValuesChange(
      Capture(), on: room.fixture.machine, instance: "PCH.0",
      files: [
        WatchedRoom.status: HostileFile(own: ["in_use"], derived: use),
        "cards": HostileFile(derived: ["name"]), "pcm": HostileFile(decidesInstance: true),
        "/proc/asound/card0/id": HostileFile(decidesInstance: true),
      ], ignoring: ["index", "name", "dev", "osrelease"])
    try expectOnlyOwnValuesChange(
      Capture(), on: room.fixture.machine, instance: WatchedRoom.camera,
      files: [
        "runtime_status": HostileFile(derived: use), "control": HostileFile(derived: use),
        "status": HostileFile(derived: use), "removable": HostileFile(own: ["built_in"]),
        "/sys/class/video4linux/video0/name": HostileFile(own: ["name"], decidesInstance: true),
        "/sys/class/video4linux/video1/name": HostileFile(), "dev": HostileFile(),
        "index": HostileFile(decidesInstance: true), "osrelease": HostileFile(),
        "id": HostileFile(), "pcm": HostileFile(),
      ])
  }

  @Test func `P1 P4 nothing of a use is read or told without leave`() throws {
    let room = try WatchedRoom([WatchedRoom.status: WatchedRoom.opened("RUNNING")], nature: .live)
    try room.fixture.write("active\n", to: WatchedRoom.power)
    try room.run(4321, "arecord", open: ["/dev/video0"])
    let context = try Context.open(
      on: room.fixture.machine, loop: room.fixture.loop, catalogue: [Capture()])
    for name in ["PCH.0", WatchedRoom.camera, "aggregate"] {
      let id = try #require(try context.sources().map(\.id).first { $0.instance == name })
      let source = try context.open(id)
      for (property, sample) in zip(source.properties, try source.updateValues()) {
        let isOfUse = property.category != nil || property.key == "evidence"
        #expect((sample.status == .permission) == isOfUse, "\(id) \(property.key)")
        guard isOfUse else { continue }
        #expect(sample.absence?.remedy == "open the context with allow=activity")
      }
    }
    for path in [WatchedRoom.status, WatchedRoom.power, "/proc/4321/comm"] {
      #expect(room.fixture.files.reads(of: path) == 0, "\(path)")
    }
    try context.setAllow(Allowance(categories: [.activity]))
    let source = try context.open("capture")
    let values = try source.updateValues()
    #expect(values[Capture.Field.inUse.rawValue].payload == .bool(true))
    #expect(values[Capture.Field.by.rawValue].payload == .string("arecord"))
    try context.close()
  }

  @Test func `P4 a capture of a machine keeps what its devices do to itself`() throws {
    let room = try WatchedRoom([WatchedRoom.status: WatchedRoom.opened("RUNNING")], nature: .live)
    try room.run(4321, "arecord", open: ["/dev/video0", "/home/ada/diary.txt"])
    for allow in [Allowance.none, .all] {
      let tree = try MachineCapture(of: room.fixture.machine, kinds: [Capture()], allow: allow).tree
      let isOpen = allow == .all
      #expect((tree.files[WatchedRoom.status] != nil) == isOpen)
      #expect((tree.files["/proc/4321/comm"] != nil) == isOpen)
      #expect(!"\(tree)".contains("diary"))
    }
  }
}
