import GatheredKitTesting
import Gathering
import Glibc
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// Catalogue 4.4.
@Suite struct MicrophoneTests {
  private static let list: [String: String] = [
    "/proc/asound/pcm": """
    00-00: ALC257 Analog : ALC257 Analog : playback 1 : capture 1
    00-03: HDMI 0 : HDMI 0 : playback 1
    10-00: USB Audio : Webcam : capture 1
    02-01: Loopback PCM : Loopback PCM : playback 8 : capture 8

    """,
    "/proc/asound/card0/id": "PCH\n", "/proc/asound/card10/id": "C920\n",
    "/proc/asound/card2/id": "Loopback\n",
  ]
  private let device: FixtureMachine
  private let start: Int64

  init() throws {
    device = try FixtureMachine(Self.list, nature: .live)
    start = device.loop.clock.now.boot
  }

  private func context(_ allow: PrivacyCategory...) throws -> Context {
    try Context.open(
      on: device.machine, loop: device.loop, allow: Allowance(categories: Set(allow)),
      catalogue: [Microphone()])
  }

  private func values(_ source: Source) -> [String: Sample] {
    Dictionary(uniqueKeysWithValues: zip(source.properties.map(\.key), source.allValues))
  }

  /// Lets time pass, in milliseconds, and what was queued be delivered.
  private func pass(_ milliseconds: Int64, _ context: Context) throws {
    try context.seek(to: device.loop.clock.now.boot - start + milliseconds * 1_000_000)
    while try context.dispatch(timeout: 0) > 0 {}
  }

  private let quiet = [Int16](repeating: 327, count: 480)
  private let loud = [Int16](repeating: 16384, count: 480)
  private let dropped = [Int16](repeating: .max, count: 4800)

  @Test func `instances are the default and each capture device, and nothing is opened`() {
    let found = Microphone().discover(on: device.machine).instances
    #expect(found.map(\.name) == ["default", "PCH.0", "Loopback.1", "C920.0"])
    #expect(found.map(\.label) == ["Default", "ALC257 Analog", "Loopback PCM", "Webcam"])
    #expect(found[1].aliases == ["pcmC0D0c"])
    #expect(found.allSatisfy { $0.availability.state == .available })
    #expect(device.sound.opened == [])
  }

  @Test func `without capture devices there is no hardware, and why is told`() throws {
    for (list, state) in [
      (
        ["/proc/asound/pcm": "00-03: HDMI 0 : HDMI 0 : playback 1\n"], Availability.State.noHardware
      ),
      ([:], .noHardware), (["/proc/asound/pcm": "capture 1\n: \n-\n00-\n"], .noHardware),
    ] {
      let machine = try FixtureMachine(list, nature: .live).machine
      let found = Microphone().discover(on: machine)
      #expect(found.instances == [])
      #expect(found.absence.state == state)
      #expect(found.absence.detail.contains("/proc/asound/pcm"))
    }
  }

  @Test func `C3: a captured tree has no sound`() throws {
    let tree = try FixtureMachine(Self.list)
    let found = Microphone().discover(on: tree.machine)
    #expect(found.instances == [])
    #expect(found.absence.state == .noHardware)
  }

  @Test func `without libasound every instance says which package brings it (A1)`() {
    device.sound.miss(MissingLibrary(library: "l", reason: "no l", package: "libasound2"))
    let found = Microphone().discover(on: device.machine).instances
    #expect(found.allSatisfy { $0.availability.state == .failed })
    #expect(found.allSatisfy { $0.availability.remedy == "install libasound2" })
    #expect(found.first?.availability.detail == "no l")
  }

  @Test func `P2: nothing is opened before the category is allowed`() throws {
    let context = try context()
    let source = try context.open("microphone")
    #expect(source.availability.state == .requiresPermission)
    #expect(source.availability.remedy == "open the context with allow=microphone")
    try source.startUpdating(every: 100_000_000)
    #expect(!source.isUpdating)
    try source.updateValuesInPlace()
    #expect(values(source).values.allSatisfy { $0.status == .permission })
    #expect(device.sound.opened == [])
    // L12: a grant starts it; P3: a revocation ends it at once.
    try context.setAllow(Allowance(categories: [.microphone]))
    #expect(source.isUpdating)
    #expect(device.sound.opened == ["default"])
    try context.setAllow(.none)
    #expect(!source.isUpdating)
    #expect(device.sound.captureCount == 0)
    try context.close()
  }

  @Test func `I8: two sessions of different intervals each hear what came since their own update`()
    throws
  {
    let context = try context(.microphone)
    let (fast, slow) = (try context.open("microphone"), try context.open("microphone"))
    try fast.startUpdating(every: 20_000_000)
    #expect(values(fast)["rms_level"]?.status == .noData)
    device.sound.play(dropped)
    try pass(10, context)
    try slow.startUpdating(every: 60_000_000)
    // One capture serves both.
    #expect(device.sound.opened == ["default"])
    var heard: [Double?] = []
    for block in [loud, quiet, quiet] {
      device.sound.play(block)
      try pass(20, context)
      heard.append(values(fast)["peak_level"]?.payload?.number)
    }
    #expect(heard.map { $0.map { ($0 * 100).rounded() } } == [-602, -4002, -4002])
    #expect(values(slow)["peak_level"]?.payload?.number.map { ($0 * 100).rounded() } == -602)
    let mean = values(slow)["rms_level"]?.payload?.number ?? 0
    // The fast session's start and the slow one's are 10 ms apart: the same three blocks.
    let squares: Double = 16384 * 16384 + 2 * 327 * 327
    let power = squares / 3 / 32768 / 32768
    #expect(abs(mean - 10 * log10(power)) < 1e-9)
    try slow.stopUpdating()
    #expect(device.sound.captureCount == 1)
    try fast.stopUpdating()
    #expect(device.sound.captureCount == 0)
    try context.close()
  }

  @Test func `the first 100 ms after opening are dropped, after each opening`() throws {
    let context = try context(.microphone)
    let source = try context.open("microphone")
    try source.startUpdating(every: 100_000_000)
    device.sound.play(Array(dropped.dropLast(480)))
    try pass(100, context)
    #expect(values(source)["peak_level"]?.status == .noData)
    #expect(values(source)["clipped_samples"]?.payload == .int(0))
    device.sound.play([Int16](repeating: .max, count: 480) + [Int16](repeating: 0, count: 9))
    try pass(100, context)
    #expect(values(source)["peak_level"]?.payload == .double(-160))
    #expect(values(source)["rms_level"]?.payload == .double(-160))
    device.sound.reopen()
    device.sound.play(dropped + [0])
    try pass(100, context)
    #expect(values(source)["clipped_samples"]?.payload == .int(0))
    try context.close()
  }

  @Test func `counters count from the session's start (L13, L14)`() throws {
    let context = try context(.microphone)
    let (first, second) = (try context.open("microphone"), try context.open("microphone"))
    try first.startUpdating(every: 100_000_000)
    device.sound.play(dropped)
    device.sound.play([.max, .min, 0])
    device.sound.lose()
    try pass(100, context)
    try second.startUpdating(every: 100_000_000)
    device.sound.play([.max])
    try pass(100, context)
    #expect(values(first)["clipped_samples"]?.payload == .int(3))
    #expect(values(first)["overruns"]?.payload == .int(1))
    #expect(values(second)["clipped_samples"]?.payload == .int(1))
    #expect(values(second)["overruns"]?.payload == .int(0))
    try first.stopUpdating()
    try first.startUpdating(every: 100_000_000)
    #expect(values(first)["clipped_samples"]?.payload == .int(0))
    try context.close()
  }

  @Test func `every fact of a capture lands in its own property`() throws {
    device.sound.negotiate(SoundFormat(rate: 44_100, channels: 1))
    let context = try context(.microphone)
    let source = try context.open("microphone|PCH.0")
    try source.updateValuesInPlace()
    let found = values(source)
    #expect(found["sample_rate"]?.payload == .double(44_100))
    #expect(found["channels"]?.payload == .int(1))
    #expect(found["device"]?.payload == .string("plughw:CARD=0,DEV=0"))
    #expect(found["rms_level"]?.status == .noData)
    #expect(found["overruns"]?.status == .noData)
    // L8: on an idle stream it claims, takes one reading and releases.
    #expect(device.sound.captureCount == 0)
    try context.close()
  }

  @Test(
    arguments: [
      (2, Availability.State.noHardware), (16, .busy), (13, .permissionDenied),
      (1, .permissionDenied),
      (19, .disconnected), (79, .failed), (110, .failed),
    ] as [(Int32, Availability.State)])
  func `E3: a refusal to open has its state and remedy`(_ code: Int32, _ state: Availability.State)
    throws
  {
    device.sound.refuse(with: code)
    let context = try context(.microphone)
    let source = try context.open("microphone")
    let error = #expect(throws: SourceError.self) {
      try source.startUpdating(every: 100_000_000)
    }
    guard case .unavailable(let availability) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(availability.state == state)
    #expect(availability.errno == code)
    #expect(availability.remedy.isEmpty == (state == .noHardware))
    if state == .permissionDenied { #expect(availability.remedy.contains("group audio")) }
    if code == 79 { #expect(availability.remedy == "install libasound2") }
    #expect(!source.isUpdating)
    try context.close()
  }

  @Test func `L9: a capture that ended for good ends its sessions at the third reading`() throws {
    let context = try context(.microphone)
    let source = try context.open("microphone")
    try source.startUpdating(every: 100_000_000)
    device.sound.end(with: 5)
    try pass(100, context)
    #expect(values(source)["rms_level"]?.status == .failed)
    #expect(values(source)["rms_level"]?.absence?.errno == 5)
    #expect(source.isUpdating)
    try pass(200, context)
    #expect(!source.isUpdating)
    try context.close()
  }

  @Test func `L10: a card that is unplugged takes its instance, and brings it back`() throws {
    let context = try context(.microphone)
    let source = try context.open("microphone|C920.0")
    try source.startUpdating(every: 100_000_000)
    let notice = ChangeNotice(topic: .devices(subsystem: "sound"), action: "remove")
    let full = Self.list["/proc/asound/pcm"] ?? ""
    try device.write("00-00: A : A : capture 1\n", to: "/proc/asound/pcm")
    device.notices.send(notice)
    try pass(100, context)
    #expect(source.isUpdating)
    #expect(source.availability.state == .disconnected)
    #expect(device.sound.captureCount == 0)
    try device.write(full, to: "/proc/asound/pcm")
    device.notices.send(notice)
    try pass(100, context)
    #expect(source.availability.state == .available)
    #expect(device.sound.captureCount == 1)
    try context.close()
  }
}
