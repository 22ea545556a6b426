import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// Notes every file of a device that is opened, besides those that wake no device.
private final class WatchedFiles: FileTree {
  private let original: any FileTree
  private let places: [String]
  private let opened = Lock<[String]>([])

  /// What of the folders at some places must not be opened.
  init(over original: any FileTree, places: [String]) {
    self.original = original
    self.places = places
  }

  /// What was opened and may have woken the device.
  var waking: [String] { opened.withLock { $0 } }

  /// The kernel tells these by itself.
  private static let harmless = ["/class", "/vendor", "_label", "/name"]

  func open(_ path: String) throws(SystemError) -> any OpenFile {
    let isOfDevice = places.contains { path.hasPrefix($0 + "/") }
    let isHarmless = path.contains("/power/") || Self.harmless.contains(where: path.hasSuffix)
    if isOfDevice, !isHarmless { opened.withLock { $0.append(path) } }
    return try original.open(path)
  }

  func entries(of path: String) throws(SystemError) -> [String] {
    try original.entries(of: path)
  }

  func canonicalPath(of path: String) throws(SystemError) -> String {
    try original.canonicalPath(of: path)
  }

  func linkTarget(of path: String) throws(SystemError) -> String {
    try original.linkTarget(of: path)
  }

  func statistics(of mountPoint: String) throws(SystemError) -> FileSystemStatistics {
    try original.statistics(of: mountPoint)
  }
}

/// A card that sleeps is left asleep, by every kind that reads below it (catalogue G1, G2).
@Suite struct SleepingCardTests {
  private static let radeon = GraphicsTests.radeon
  private static let kinds: [any SourceKind] = [
    Graphics(), Power(), Temperature(), Fan(), Voltage(), Current(),
  ]

  /// A machine whose devices are asleep, and what it must not open.
  private func sleeping(
    _ name: String, _ devices: [String], _ more: [String], _ word: String = "suspended"
  ) throws -> (Machine, WatchedFiles) {
    let machine = try machine(named: name)
    let altered = AlteredFiles(over: machine.files)
    for device in devices { altered.write("\(word)\n", to: "\(device)/power/runtime_status") }
    let files = WatchedFiles(over: altered, places: devices + more)
    return (machine.with(files: files), files)
  }

  @Test(arguments: ["suspended", "suspending", "resuming"])
  func `G1: nothing of cards that sleep is opened, by no kind`(word: String) throws {
    let trees = [
      (
        "graphics-amd", [GraphicsTests.radeon, GraphicsTests.apu],
        ["hwmon/hwmon2", "hwmon/hwmon3", "drm/card0", "drm/card1"]
      ),
      (
        "graphics-intel", [GraphicsTests.arc, "/sys/devices/pci0000:00/0000:00:02.0"],
        ["hwmon/hwmon4", "drm/card0", "drm/card1"]
      ),
    ]
    for (name, devices, links) in trees {
      let (machine, files) = try sleeping(name, devices, links.map { "/sys/class/\($0)" }, word)
      for kind in Self.kinds {
        let harness = KindHarness(kind, machine: machine)
        for instance in harness.names {
          let found = try harness.read(instance)
          for property in kind.properties where property.mode == .continuous {
            let outcome = try #require(found[property.key])
            let isKnown = ["asleep", "several cards"].contains(outcome.absence?.reason ?? "")
            #expect(!outcome.hasPayload, "\(kind.kind)|\(instance)/\(property.key)")
            #expect(
              isKnown || outcome.status == .unsupported || instance == "aggregate",
              "\(kind.kind)|\(instance)/\(property.key): \(outcome)")
          }
        }
      }
      #expect(files.waking == [])
    }
  }

  @Test func `G1: a card that is awake is opened, so that the test above can fail`() throws {
    let (machine, files) = try sleeping("graphics-amd", [Self.radeon], [], "active")
    _ = try KindHarness(Graphics(), machine: machine).read("pci-0000:03:00.0")
    #expect(files.waking.contains("\(Self.radeon)/gpu_busy_percent"))
  }

  @Test(arguments: ["unsupported\n", "error\n", "", nil])
  func `G1: what tells of no sleep is read`(text: String?) throws {
    let machine = try machine(named: "graphics-amd")
    let files = AlteredFiles(over: machine.files)
    let status = "\(Self.radeon)/power/runtime_status"
    if let text { files.write(text, to: status) } else { files.alter(status, .failing(13)) }
    let cards = KindHarness(Graphics(), machine: machine.with(files: files))
    let card = try cards.read("pci-0000:03:00.0")
    #expect(card.double("utilization") == 0.37 && card.text("power_state") == "unknown")
    files.alter(status, .missing)
    #expect(try cards.read("pci-0000:03:00.0").double("power") == 41)
  }

  @Test(arguments: [1, 16] as [Int32])
  func `G1: what amdgpu refuses is asleep or resetting, and no matter of rights`(
    code: Int32
  ) throws {
    let machine = try machine(named: "graphics-amd")
    let files = AlteredFiles(over: machine.files)
    let altered = machine.with(files: files)
    for path in ["gpu_busy_percent", "mem_info_vram_total", "hwmon/hwmon3/power1_average"] {
      files.alter("\(Self.radeon)/\(path)", .failing(code))
    }
    let chip = "/sys/class/hwmon/hwmon3"
    for file in ["temp1_input", "fan1_input", "in0_input", "power1_average"] {
      files.alter("\(chip)/\(file)", .failing(code))
    }
    let card = try KindHarness(Graphics(), machine: altered).read("pci-0000:03:00.0")
    for key in ["utilization", "memory_total", "power"] {
      #expect(card.status(key) == .noData && card.reason(key) == "asleep or resetting", "\(key)")
    }
    #expect(card.double("temperature") == 52)
    for (kind, channel, key) in [
      (Temperature(), "temp1", "temperature"), (Fan(), "fan1", "speed"),
      (Voltage(), "in0", "voltage"), (Power(), "power1", "power"),
    ] as [(any SourceKind, String, String)] {
      let channels = KindHarness(kind, machine: altered)
      let found = try channels.read("amdgpu.pci-0000:03:00.0:\(channel)")
      #expect(found.reason(key) == "asleep or resetting", "\(kind.kind)")
    }
    files.alter("\(Self.radeon)/gpu_busy_percent", .failing(13))
    let denied = try KindHarness(Graphics(), machine: altered).read("pci-0000:03:00.0")
    #expect(denied.status("utilization") == .permission)
  }

  @Test func `G1: what is static is read once the card is awake, and kept when it sleeps`() throws {
    let machine = try machine(named: "graphics-amd")
    let files = AlteredFiles(over: machine.files)
    let status = "\(Self.radeon)/power/runtime_status"
    files.write("suspended\n", to: status)
    let cards = KindHarness(Graphics(), machine: machine.with(files: files))
    let instance = try #require(cards.instance("pci-0000:03:00.0"))
    let reader = try #require(try cards.kind.open(instance, on: cards.machine))
    var reading = Reading(properties: Graphics.table.count)
    reader.read(ReadRequest(scope: .everything, allow: .all), into: &reading)
    #expect(reading[Graphics.Field.memoryTotal].absence?.reason == "asleep")
    #expect(reading[Graphics.Field.driver].text == "amdgpu")
    files.write("active\n", to: status)
    reader.read(ReadRequest(scope: .changing, allow: .all), into: &reading)
    #expect(reading.integer(Graphics.Field.memoryTotal) == 8_573_157_376)
    #expect(reading[Graphics.Field.model].text == "Radeon RX 7600M XT")
    files.write("suspended\n", to: status)
    reader.read(ReadRequest(scope: .everything, allow: .all), into: &reading)
    #expect(reading.integer(Graphics.Field.memoryTotal) == 8_573_157_376)
    #expect(reading[Graphics.Field.memoryUsed].absence?.reason == "asleep")
    #expect(reading[Graphics.Field.powerState].text == "suspended")
  }

  // MARK: Letting it sleep

  @Test func `G2: the floor of a discrete card that may sleep`() throws {
    let machine = try machine(named: "graphics-amd")
    let files = AlteredFiles(over: machine.files)
    let cards = KindHarness(Graphics(), machine: machine.with(files: files))
    let floor = try #require(cards.instance("pci-0000:03:00.0")?.pollingFloor)
    #expect(floor.interval == 15_000_000_000 && floor.reason == "lets the card sleep")
    #expect(cards.instance("pci-0000:c4:00.0")?.pollingFloor == nil)
    #expect(cards.instance("aggregate")?.pollingFloor == floor)
    let chips = KindHarness(Temperature(), machine: cards.machine)
    #expect(
      chips.instance("amdgpu.pci-0000:03:00.0:temp1")?.pollingFloor?.interval == floor.interval)
    #expect(chips.instance("amdgpu.pci-0000:c4:00.0:temp1")?.pollingFloor == nil)
    files.write("20000\n", to: "\(Self.radeon)/power/autosuspend_delay_ms")
    #expect(cards.instance("pci-0000:03:00.0")?.pollingFloor?.interval == 60_000_000_000)
    files.write("on\n", to: "\(Self.radeon)/power/control")
    #expect(cards.instance("pci-0000:03:00.0")?.pollingFloor == nil)
  }

  @Test func `G2: keep_awake lifts the floor for its session, and no longer`() throws {
    let parts = #filePath.split(separator: "/").dropLast(3)
    let folder = "/" + parts.joined(separator: "/") + "/Fixtures/machines/graphics-amd"
    let fixture = try FixtureMachine(folder: folder, nature: .live)
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: SourceCatalogue.all)
    defer { try? context.close() }
    let card = try context.open("gpu|pci-0000:03:00.0")
    try card.startUpdating(every: 1_000_000_000)
    #expect(card.rates.granted == 15_000_000_000 && card.minimumInterval == 15_000_000_000)
    #expect(card.rates.reason == "lets the card sleep")
    let setting = Graphics.Field.keepAwake.rawValue
    try card.set(.bool(true), ofPropertyAt: setting)
    #expect(card.rates.granted == 1_000_000_000 && card.minimumInterval == 250_000_000)
    let other = try context.open("gpu|pci-0000:03:00.0")
    try other.startUpdating(every: 1_000_000_000)
    #expect(other.rates.granted == 15_000_000_000)
    fixture.loop.advance(to: 3_000_000_000)
    #expect(card.allValues[setting].value == .bool(true))
    #expect(other.allValues[setting].value == .bool(false))
    try card.set(.bool(false), ofPropertyAt: setting)
    #expect(card.rates.granted == 15_000_000_000)
  }

  @Test func `G2: a sum of power reads a card that may sleep no more often`() throws {
    let parts = #filePath.split(separator: "/").dropLast(3)
    let folder = "/" + parts.joined(separator: "/") + "/Fixtures/machines/graphics-intel"
    let fixture = try FixtureMachine(folder: folder, nature: .live)
    let files = AlteredFiles(over: fixture.machine.files)
    files.write("auto\n", to: "\(GraphicsTests.arc)/power/control")
    let machine = fixture.machine.with(files: files)
    let instance = try #require(CardPower.instances(on: machine).first)
    #expect(instance.name == "gpu.pci-0000:03:00.0" && instance.pollingFloor?.liftedBy == nil)
    let reader = CardPower(instance, on: machine)
    var request = ReadRequest(scope: .everything, allow: .all)
    request.isForAggregate = true
    let expected: [(second: Int64, joules: Double, watts: Double?)] = [
      (0, 53, nil), (10, 53, nil), (15, 203, 10), (29, 203, 10), (30, 353, 10),
    ]
    var reading = Reading(properties: Power.table.count)
    for (second, joules, watts) in expected {
      let counter = 53_000_000 + second * 10_000_000
      files.write("\(counter)\n", to: "\(GraphicsTests.arc)/hwmon/hwmon4/energy1_input")
      reading.instant = Instant(boot: second * 1_000_000_000, realtime: 0)
      reader.read(request, into: &reading)
      #expect(reading.number(Power.Field.energy) == joules, "\(second)")
      #expect(reading[Power.Field.power].number == watts, "\(second)")
    }
  }

  @Test func `catalogue 13.1: the simulated card is awake for 20 s of each minute`() throws {
    let context = try Context.open(
      "sim:laptop&clock=manual", allow: .all, mode: .host, catalogue: SourceCatalogue.all)
    defer { try? context.close() }
    let card = try context.open("gpu|\(Graphics.discrete)")
    let all = try context.open("gpu")
    let power = try context.open("power|gpu.\(Graphics.discrete)")
    for (second, isAwake) in [(5, true), (19, true), (21, false), (59, false), (65, true)] {
      try context.seek(to: Int64(second) * 1_000_000_000)
      for source in [card, all, power] { try source.updateValues() }
      let values = card.allValues
      let state = values[Graphics.Field.powerState.rawValue].value
      #expect(state == .string(isAwake ? "active" : "suspended"), "\(second)")
      for field in [Graphics.Field.power, .utilization, .fanSpeed, .memoryFrequency] {
        let sample = values[field.rawValue]
        #expect(sample.status == (isAwake ? .ok : .noData), "\(second): \(field)")
        #expect(isAwake || sample.absence?.reason == "asleep", "\(second): \(field)")
      }
      #expect(values[Graphics.Field.memoryTotal.rawValue].status == .ok)
      let sum = all.allValues[Graphics.Field.power.rawValue]
      #expect(sum.status == .ok && sum.flags.contains(.lowAccuracy) == !isAwake, "\(second)")
      #expect(power.allValues[0].status == (isAwake ? .ok : .noData), "\(second)")
    }
  }
}
