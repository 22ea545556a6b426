import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

/// The current mode, and the brightness that can be set.
@Suite struct ScreenModeTests {
  private static let panel = "/sys/class/drm/card1-eDP-1"
  private static let light = "/sys/class/backlight/intel_backlight"
  private let device: FixtureMachine
  private let files: AlteredFiles
  private let machine: Machine

  init() throws {
    device = try FixtureMachine(
      [
        Self.panel + "/status": "connected\n", Self.panel + "/enabled": "enabled\n",
        Self.panel + "/dpms": "On\n", Self.panel + "/modes": "2880x1800\n1440x900\n2880x1800\n",
        Self.light + "/brightness": "300\n", Self.light + "/max_brightness": "400\n",
        Self.light + "/actual_brightness": "300\n", Self.light + "/bl_power": "0\n",
        Self.light + "/type": "raw\n",
      ], nature: .live)
    files = AlteredFiles(over: device.files)
    machine = device.machine.with(files: files)
  }

  private let half = DisplayMode(
    width: 1440, height: 900, pixelClock: 106_500_000, lineLength: 1904, lineCount: 934)

  private func read() throws -> [String: Outcome] {
    try KindHarness(Screen(), machine: machine).read("eDP-1")
  }

  @Test func `catalogue 4.6: the mode shown comes before what the screen prefers`() throws {
    device.displays.show(half, on: "card1-eDP-1")
    let values = try read()
    #expect(values.payload("width") == .int(1440))
    #expect(values.payload("height") == .int(900))
    #expect(abs((values.double("refresh_rate") ?? 0) - 59.887) < 1e-3)
    let harness = KindHarness(Screen(), machine: machine)
    #expect(try harness.raw("eDP-1", "width")?.place == "/dev/dri/card1")
  }

  @Test(arguments: [13, 2, 79, 11] as [Int32])
  func `a card that is closed, missing, asleep or without libdrm costs the mode alone`(
    _ code: Int32
  ) throws {
    device.displays.show(half, on: "card1-eDP-1")
    device.displays.fail(opening: code)
    let values = try read()
    #expect(values.payload("width") == .int(2880))
    #expect(values.payload("height") == .int(1800))
    #expect(values.payload("modes") == .string("2880x1800 1440x900"))
    #expect(values.payload("brightness") == .double(0.75))
    device.displays.fail(asking: code)
    #expect(try read().payload("width") == .int(2880))
  }

  @Test func `a card is opened once while it answers, and anew when it has failed`() throws {
    let harness = KindHarness(Screen(), machine: machine)
    let instance = try #require(harness.instance("eDP-1"))
    let reader = try #require(try Screen().open(instance, on: machine))
    var reading = Reading(properties: Screen.table.count)
    let request = ReadRequest(scope: .changing, allow: .none)
    for (width, opened) in [(2880, 1), (1440, 1), (2880, 1), (1440, 2)] as [(Int64, Int)] {
      switch (width, opened) {
      case (1440, _):
        device.displays.fail()
        device.displays.show(half, on: "card1-eDP-1")
      case (_, 1) where reading[Screen.Field.width].integer == 1440:
        device.displays.fail(asking: 19)
      default: break
      }
      reader.read(request, into: &reading)
      #expect(reading[Screen.Field.width].integer == width)
      #expect(device.displays.openCount == opened)
    }
  }

  @Test func `a mode of fields counts fields, one of doubled lines counts pictures`() {
    let television = DisplayMode(
      width: 1920, height: 1080, pixelClock: 74_250_000, lineLength: 2200, lineCount: 1125,
      isInterlaced: true)
    #expect(television.refreshRate == 60)
    let old = DisplayMode(
      width: 320, height: 240, pixelClock: 12_587_500, lineLength: 400, lineCount: 262,
      isDoubled: true)
    #expect(abs((old.refreshRate ?? 0) - 60.05) < 0.01)
    let none = DisplayMode(width: 1, height: 1, pixelClock: 0, lineLength: 0, lineCount: 0)
    #expect(none.refreshRate == nil)
  }

  private func context() throws -> (Context, Source) {
    let context = try Context.open(on: machine, loop: device.loop, catalogue: [Screen()])
    files.answerWriting(Self.light + "/brightness", with: 0)
    return (context, try context.open("screen|eDP-1"))
  }

  @Test func `brightness that is set is written to the backlight, and read back as an event`()
    throws
  {
    let (context, source) = try context()
    #expect(source.properties[0].flags == .writable)
    try source.startUpdating(every: 60_000_000_000)
    while try context.dispatch(timeout: 0) > 0 {}
    #expect(source.allValues[0].payload == .double(0.75))
    try source.set(.double(0.251), ofPropertyAt: 0)
    #expect(try files.text(of: Self.light + "/brightness") == "100\n")
    files.write("100\n", to: Self.light + "/actual_brightness")
    try context.seek(to: 200_000_000)
    while try context.dispatch(timeout: 0) > 0 {}
    #expect(source.allValues[0].payload == .double(0.25))
    try context.close()
  }

  @Test func `what cannot be set says why, and nothing is written`() throws {
    let (context, source) = try context()
    for value in [1.01, -0.1, .nan, .infinity] {
      let error = #expect(throws: SourceError.self) {
        try source.set(.double(value), ofPropertyAt: 0)
      }
      guard case .invalidArgument = error else {
        Issue.record("\(error)")
        return
      }
    }
    #expect(throws: SourceError.type("brightness takes no such type")) {
      try source.set(.string("bright"), ofPropertyAt: 0)
    }
    #expect(throws: SourceError.notSupported("screen/width cannot be set")) {
      try source.set(.int(640), ofPropertyAt: 4)
    }
    files.answerWriting(Self.light + "/brightness", with: 13)
    let refusal = #expect(throws: SourceError.self) {
      try source.set(.double(0.5), ofPropertyAt: 0)
    }
    guard case .unavailable(let availability) = refusal else {
      Issue.record("\(refusal)")
      return
    }
    #expect(availability.state == .permissionDenied)
    #expect(availability.remedy.contains(Self.light + "/brightness"))
    files.answerWriting(Self.light + "/brightness", with: 5)
    #expect(throws: SourceError.io(errno: 5, place: Self.light + "/brightness")) {
      try source.set(.double(0.5), ofPropertyAt: 0)
    }
    #expect(try files.text(of: Self.light + "/brightness") == "300\n")
    try context.close()
  }

  @Test func `a screen that is away, or has no backlight, cannot be made brighter`() throws {
    let (context, source) = try context()
    try device.remove("/sys/class/backlight")
    try context.rescan()
    let error = #expect(throws: SourceError.self) {
      try source.set(.double(0.5), ofPropertyAt: 0)
    }
    guard case .notSupported = error else {
      Issue.record("\(error)")
      return
    }
    try device.remove(Self.panel)
    try context.rescan()
    let absence = #expect(throws: SourceError.self) {
      try source.set(.double(0.5), ofPropertyAt: 0)
    }
    guard case .unavailable = absence else {
      Issue.record("\(absence)")
      return
    }
    try context.close()
  }

  @Test func `a simulated screen keeps what is set`() throws {
    let context = try Context.open("sim:laptop&clock=manual", catalogue: [Screen()])
    let source = try context.open("screen")
    try source.set(.double(0.2), ofPropertyAt: 0)
    try source.updateValuesInPlace()
    #expect(source.allValues[0].payload == .double(0.2))
    try context.close()
  }
}
