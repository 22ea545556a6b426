import GatheredKitTesting
import Gathering
import Glibc
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// Cameras of `capture`: power, and who has the node open (catalogue 13.7).
@Suite struct CameraTests {
  private static let first = "/proc/self/ns/pid"
  private static let whole = "pid:[4026531836]"

  private func expect(
    _ values: [String: Outcome], _ isInUse: Bool?, _ evidence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(values["in_use"]?.flag == isInUse, sourceLocation: sourceLocation)
    #expect(values["evidence"] == .ok(.string(evidence)), sourceLocation: sourceLocation)
  }

  @Test func `13.7 a camera that sleeps is not used, and nothing more is asked`() throws {
    let room = try WatchedRoom(links: [Self.first: Self.whole], nature: .live)
    try room.run(12, "wireplumber", open: ["/dev/video0"])
    expect(try room.read(WatchedRoom.camera), false, "power")
    #expect(room.fixture.files.reads(of: "/proc/12/comm") == 0)
  }

  @Test(
    arguments: [
      ("auto", "closed\n", true), ("on", "closed\n", nil), ("odd", "closed\n", nil),
      ("auto", WatchedRoom.opened("RUNNING"), nil), ("auto", WatchedRoom.opened("OPEN"), nil),
      ("auto", "", nil),
    ] as [(String, String, Bool?)])
  func `13.7 a camera is awake for itself if nothing else of its device is used`(
    control: String, status: String, isInUse: Bool?
  ) throws {
    let room = try WatchedRoom([
      WatchedRoom.power: "active\n", "\(WatchedRoom.usb)/power/control": "\(control)\n",
      "/proc/asound/card1/pcm0c/sub0/status": status,
    ])
    let values = try room.read(WatchedRoom.camera)
    expect(values, isInUse, isInUse == nil ? "none" : "power")
    if isInUse == nil {
      #expect(values["in_use"]?.absence?.reason == "awake, perhaps for another reason")
    } else {
      #expect(values["in_use"]?.isLowAccuracy == true)
      #expect(values["by"]?.absence?.reason == "the programs of other users are not seen")
    }
  }

  @Test func `13.7 a second camera or another driver of the device may keep it awake`() throws {
    let infrared = "\(WatchedRoom.usb)/1-8:1.3"
    let room = try WatchedRoom([
      WatchedRoom.power: "active\n", "\(infrared)/bInterfaceNumber": "03\n",
    ])
    expect(try room.read(WatchedRoom.camera), true, "power")
    try room.fixture.link("\(infrared)/driver", to: "../../../../../../bus/usb/drivers/usbhid")
    expect(try room.read(WatchedRoom.camera), nil, "none")
    try room.fixture.remove("\(infrared)/driver")
    try room.fixture.makeFolder("\(infrared)/video4linux/video2")
    expect(try room.read(WatchedRoom.camera), nil, "none")
  }

  @Test(arguments: ["suspending", "resuming", "unsupported", "error", ""])
  func `13.7 what is neither awake nor asleep is not known to be off`(word: String) throws {
    let room = try WatchedRoom([WatchedRoom.power: "\(word)\n"])
    expect(try room.read(WatchedRoom.camera), nil, "none")
    try room.fixture.remove(WatchedRoom.power)
    expect(try room.read(WatchedRoom.camera), nil, "none")
  }

  @Test func `13.7 who has the node open is named`() throws {
    let room = try WatchedRoom([WatchedRoom.power: "active\n"], nature: .live)
    try room.run(7, "bash", open: ["/dev/null", "/dev/video1", "/dev/video00"])
    try room.run(12, "Web Content", open: ["/dev/null", "/dev/video0"])
    try room.run(13, "cheese", open: ["/dev/video0", "/dev/video0"])
    let values = try room.read(WatchedRoom.camera)
    expect(values, true, "open")
    #expect(values["in_use"]?.isLowAccuracy == false)
    let words = values["by"]?.text?.split(separator: " ").sorted()
    #expect(words == ["Web_Content", "cheese"])
  }

  @Test func `13.7 that none has it open is known of all processes only`() throws {
    let room = try WatchedRoom(
      [WatchedRoom.power: "active\n", "\(WatchedRoom.usb)/power/control": "on\n"],
      links: [Self.first: Self.whole], nature: .live)
    try room.run(1, "systemd")
    try room.run(20, "bash", open: ["/dev/null"])
    expect(try room.read(WatchedRoom.camera), false, "open")
    // Another user's.
    room.fixture.fail("/proc/20/fd", with: EACCES)
    expect(try room.read(WatchedRoom.camera), nil, "none")
    // One that has just ended.
    room.fixture.fail("/proc/20/fd", with: ENOENT)
    expect(try room.read(WatchedRoom.camera), false, "open")
    room.fixture.mend("/proc/20/fd")
    // A container, and a /proc that hides what is not ours.
    try room.fixture.remove(Self.first)
    try room.fixture.link(Self.first, to: "pid:[4026532461]")
    expect(try room.read(WatchedRoom.camera), nil, "none")
    try room.fixture.remove(Self.first)
    try room.fixture.link(Self.first, to: Self.whole)
    try room.fixture.remove("/proc/1")
    expect(try room.read(WatchedRoom.camera), nil, "none")
  }

  @Test func `13.7 descriptors are walked every 2 s at most`() throws {
    let room = try WatchedRoom([WatchedRoom.power: "active\n"], nature: .live)
    let kind = Capture()
    let instance = try #require(
      kind.discover(on: room.fixture.machine).instances.first { $0.name == WatchedRoom.camera })
    let reader = try #require(try kind.open(instance, on: room.fixture.machine))
    var reading = Reading(properties: kind.properties.count)
    try room.run(13, "cheese", open: ["/dev/video0"])
    for (moment, isInUse) in [(0, true), (1_999_999_999, true), (2_000_000_000, false)] {
      reading.instant = Instant(boot: Int64(moment), realtime: Int64(moment))
      reader.read(ReadRequest(scope: .changing, allow: .all), into: &reading)
      let by = reading[Capture.Field.by]
      #expect((by.text == "cheese") == isInUse, "\(moment)")
      if moment == 0 { try room.fixture.remove("/proc/13") }
    }
  }

  @Test func `13.7 codecs are no cameras, and a camera on I²C has its sensor's power`() throws {
    let sensor = "/sys/devices/platform/soc/fe205000.i2c/i2c-10/10-0010"
    let receiver = "/sys/devices/platform/soc/fe801000.csi"
    var texts = [
      "\(sensor)/power/runtime_status": "suspended\n", "\(sensor)/power/control": "auto\n",
    ]
    var links = [
      "/sys/class/video4linux/v4l-subdev0":
        "../../devices/platform/soc/fe205000.i2c/i2c-10/10-0010/video4linux/v4l-subdev0",
      "\(sensor)/video4linux/v4l-subdev0/device": "../../../10-0010",
    ]
    for (number, name) in [(0, "unicam-image"), (10, "bcm2835-codec-decode"), (11, "rkvdec")] {
      let node = "\(receiver)/video4linux/video\(number)"
      texts["\(node)/name"] = "\(name)\n"
      texts["\(node)/dev"] = "81:\(number)\n"
      links["/sys/class/video4linux/video\(number)"] = "../..\(node.dropFirst(4))"
      links["\(node)/device"] = "../../../fe801000.csi"
    }
    texts["/run/udev/data/c81:0"] = "E:ID_V4L_CAPABILITIES=:capture:\n"
    texts["/run/udev/data/c81:11"] = "E:ID_V4L_CAPABILITIES=:\n"
    let fixture = try FixtureMachine(texts, links: links)
    let harness = KindHarness(Capture(), machine: fixture.machine)
    let name = "unicam-image.fe801000.csi"
    #expect(harness.names == ["aggregate", name])
    expect(try harness.read(name), false, "power")
    #expect(try harness.read(name)["built_in"]?.status == .unsupported)
    try fixture.write("active\n", to: "\(sensor)/power/runtime_status")
    expect(try harness.read(name), true, "power")
    try fixture.write("on\n", to: "\(sensor)/power/control")
    expect(try harness.read(name), nil, "none")
  }

  @Test func `P1 L4 a program that opens the camera is an update at once, where that may be told`()
    throws
  {
    let room = try WatchedRoom([WatchedRoom.power: "active\n"], nature: .live)
    let node = ChangeTopic.use(path: "/dev/video0")
    let listeners = { room.fixture.notices.subscriberCount(of: node) }
    let context = try Context.open(
      on: room.fixture.machine, loop: room.fixture.loop, catalogue: [Capture()])
    let found = try context.sources().map(\.id)
    let id = try #require(found.first { $0.instance == WatchedRoom.camera })
    let (camera, all) = (try context.open(id), try context.open("capture"))
    try camera.startUpdating(every: 600_000_000_000)
    #expect(listeners() == 0)
    try context.setAllow(Allowance(categories: [.activity]))
    #expect(listeners() == 1)
    try room.run(12, "cheese", open: ["/dev/video0"])
    // What holds the node was looked for when the category was allowed.
    try context.seek(to: 3_000_000_000)
    room.fixture.notices.send(ChangeNotice(topic: node))
    try context.seek(to: 3_500_000_000)
    // Descriptors are looked at by a thread that may wait.
    #expect(
      Patience.wait {
        _ = try? context.dispatch(timeout: 0)
        return camera.allValues[Capture.Field.by.rawValue].payload == .string("cheese")
      })
    #expect(camera.allValues[Capture.Field.evidence.rawValue].payload == .string("open"))
    try all.startUpdating(every: 600_000_000_000)
    try camera.stopUpdating()
    #expect(listeners() == 1)
    try context.setAllow(.none)
    #expect(listeners() == 0)
    try context.close()
  }
}
