import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// A machine with a card of NVIDIA's driver, whose library says what a test says.
private struct NvidiaMachine {
  static let device = "/sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0"
  static let address = "0000:01:00.0"

  let fixture: FixtureMachine
  let cards: KindHarness

  init(control: String = "on", more: [String: String] = [:]) throws {
    var files = [
      "\(Self.device)/class": "0x030200\n", "\(Self.device)/vendor": "0x10de\n",
      "\(Self.device)/power/control": "\(control)\n",
      "\(Self.device)/power/runtime_status": "active\n",
      "/sys/bus/pci/drivers/nvidia/module/version": "550\n",
      // Its sound is no display.
      "/sys/devices/pci0000:00/0000:00:01.0/0000:01:00.1/class": "0x040300\n",
    ]
    files.merge(more) { $1 }
    let drivers = "/sys/bus/pci/drivers/nvidia"
    fixture = try FixtureMachine(
      files,
      links: [
        "\(drivers)/0000:01:00.0": "../../../../devices/pci0000:00/0000:00:01.0/0000:01:00.0",
        "\(drivers)/0000:01:00.1": "../../../../devices/pci0000:00/0000:00:01.0/0000:01:00.1",
        "\(Self.device)/driver": "../../../../bus/pci/drivers/nvidia",
      ], nature: .live)
    cards = KindHarness(Graphics(), machine: fixture.machine)
    fixture.nvidia.show(Self.usual, at: Self.address)
  }

  func read() throws -> [String: Outcome] { try cards.read("pci-0000:01:00.0") }

  static var usual: NvidiaReading {
    var reading = NvidiaReading()
    for (number, value) in zip(NvidiaReading.Number.allCases, numbers) {
      reading[number] = .value(value)
    }
    reading.texts = [
      .value("NVIDIA GeForce RTX 4070"), .value("GPU-5f2c"), .value("550.163.01"),
    ]
    return reading
  }

  private static let numbers: [Int64] = [
    93, 41, 7, 3, 8_589_934_592, 2_147_483_648, 61, 74, 118_250, 200_000, 7_654_321, 1905, 7001,
    2100, 1740, 130, 4 | 0x40 | 1, 2, 0,
  ]
}

@Suite struct NvidiaTests {
  @Test func `every number of the library reaches its own property`() throws {
    let machine = try NvidiaMachine()
    #expect(machine.cards.names == ["aggregate", "pci-0000:01:00.0"])
    let card = try machine.read()
    let numbers: [(String, Double)] = [
      ("utilization", 0.93), ("memory_utilization", 0.41), ("encoder_utilization", 0.07),
      ("decoder_utilization", 0.03), ("memory_total", 8_589_934_592),
      ("memory_used", 2_147_483_648), ("temperature", 61), ("temperature_memory", 74),
      ("power", 118.25), ("power_limit", 200), ("energy", 7654.321), ("frequency", 1.905e9),
      ("memory_frequency", 7.001e9), ("frequency_maximum", 2.1e9), ("fan_speed", 1740),
      ("fan_duty", 1), ("performance_state", 2),
    ]
    for (key, number) in numbers { #expect(card.double(key) == number, "\(key)") }
    let texts = [
      "throttle": "power thermal", "power_state": "active", "vendor": "nvidia",
      "model": "NVIDIA GeForce RTX 4070", "driver": "nvidia", "driver_version": "550.163.01",
      "pci_address": "0000:01:00.0", "uuid": "GPU-5f2c",
    ]
    for (key, text) in texts { #expect(card.text(key) == text, "\(key)") }
    #expect(card.payload("integrated") == .bool(false))
    for key in ["video_utilization", "shared_total", "shared_used", "temperature_hotspot"] {
      #expect(card.status(key) == .unsupported, "\(key)")
    }
    #expect(try machine.cards.raw("pci-0000:01:00.0", "power")?.bytes == Array("118250".utf8))
  }

  @Test(
    arguments: [
      (3, .unsupported), (13, .unsupported), (25, .unsupported), (26, .unsupported),
      (4, .permission), (6, .noData), (21, .noData), (27, .noData), (16, .failed), (999, .failed),
    ] as [(Int32, ValueStatus)])
  func `a code costs its own value`(code: Int32, status: ValueStatus) throws {
    let machine = try NvidiaMachine()
    var reading = NvidiaMachine.usual
    reading[.temperature] = .refused(code)
    machine.fixture.nvidia.show(reading, at: NvidiaMachine.address)
    let card = try machine.read()
    #expect(card.status("temperature") == status && card.double("utilization") == 0.93)
    if status == .permission { #expect(card["temperature"]?.absence?.remedy.isEmpty == false) }
    if code == 999 { #expect(card.reason("temperature")?.contains("999") == true) }
  }

  @Test func `what stands for none is none`() throws {
    let machine = try NvidiaMachine()
    var reading = NvidiaMachine.usual
    reading[.fanSpeed] = .value(0xFFFF)
    reading[.power] = .value(0xFFFF_FFFF)
    reading[.memoryTemperature] = .value(0)
    reading[.state] = .value(32)
    reading[.events] = .value(1 | 2 | 0x10 | 0x100)
    reading[.clockMaximum] = .missing
    reading[.memoryUsed] = .value(-1)
    reading[.temperature] = .value(-12)
    machine.fixture.nvidia.show(reading, at: NvidiaMachine.address)
    let card = try machine.read()
    for key in [
      "fan_speed", "power", "temperature_memory", "performance_state", "throttle", "memory_used",
    ] {
      #expect(card.status(key) == .noData, "\(key)")
    }
    #expect(card.reason("throttle") == "not throttled" && card.double("temperature") == -12)
    #expect(card.status("frequency_maximum") == .unsupported)
  }

  @Test func `a card that is split has no utilization`() throws {
    let machine = try NvidiaMachine()
    var reading = NvidiaMachine.usual
    reading[.utilization] = .refused(3)
    reading[.mig] = .value(1)
    machine.fixture.nvidia.show(reading, at: NvidiaMachine.address)
    #expect(try machine.read().reason("utilization") == "split into MIG instances")
  }

  @Test func `without power the energy tells it, and joules begin with the driver`() throws {
    let machine = try NvidiaMachine()
    var reading = NvidiaMachine.usual
    reading[.power] = .refused(3)
    machine.fixture.nvidia.show(reading, at: NvidiaMachine.address)
    let used = try machine.cards.readTwice("pci-0000:01:00.0", apart: 2) {
      reading[.energy] = .value(7_754_321)
      machine.fixture.nvidia.show(reading, at: NvidiaMachine.address)
    }
    #expect(used.double("energy") == 7754.321 && used.double("power") == 50)
  }

  @Test(
    arguments: [
      (.library(9), .noHardware, "load the nvidia module"),
      (.library(28), .noHardware, "load the nvidia module"),
      (.library(18), .failed, "reboot: driver and library differ"),
      (.timedOut, .failed, "restart the machine: NVIDIA's driver hangs"),
      (
        .missing(
          MissingLibrary(library: "l", reason: "no such file", package: "libnvidia-ml1")), .failed,
        "install libnvidia-ml1"
      ),
    ] as [(NvidiaFailure, Availability.State, String)])
  func `what fails for all cards is told with its remedy`(
    failure: NvidiaFailure, state: Availability.State, remedy: String
  ) throws {
    let machine = try NvidiaMachine()
    machine.fixture.nvidia.fail(with: failure)
    let availability = try #require(machine.cards.instance("pci-0000:01:00.0")?.availability)
    #expect(availability.state == state && availability.remedy == remedy)
    let card = try machine.read()
    #expect(card.status("utilization") == .failed)
    #expect(card["utilization"]?.absence?.remedy == remedy)
    // Only a driver that hangs hides whether the card sleeps.
    #expect((card.status("power_state") == .failed) == (failure == .timedOut))
    if failure == .timedOut { #expect(card["power"]?.absence?.errno == 110) }
    // A sum with a hole is none.
    #expect(try machine.cards.read("aggregate").status("power") == .failed)
    machine.fixture.nvidia.fail(with: nil)
    #expect(try machine.read().double("utilization") == 0.93)
  }

  @Test func `a container is told to be started with its GPUs`() throws {
    let machine = try NvidiaMachine(more: ["/run/.containerenv": ""])
    machine.fixture.nvidia.fail(with: .library(9))
    #expect(try machine.read()["power"]?.absence?.remedy == "start the container with its GPUs")
  }

  @Test func `a card that is lost fails alone`() throws {
    let machine = try NvidiaMachine()
    machine.fixture.nvidia.fail(with: .card(15))
    #expect(try machine.read().reason("power") == "the card is off its bus")
    let availability = machine.cards.instance("pci-0000:01:00.0")?.availability
    #expect(availability?.state == .disconnected && availability?.errno == 19)
    machine.fixture.nvidia.fail(with: .card(16))
    #expect(try machine.read()["power"]?.absence?.remedy == "reset the card")
    machine.fixture.nvidia.fail(with: .card(6))
    #expect(try machine.read().status("power") == .noData)
  }

  @Test func `G1, G2: a card that may sleep is asked for a moment, and asleep not at all`() throws {
    let machine = try NvidiaMachine(control: "auto")
    _ = try machine.read()
    #expect(machine.fixture.nvidia.asked.map(\.staysOpen) == [false])
    try machine.fixture.write("suspended\n", to: "\(NvidiaMachine.device)/power/runtime_status")
    let card = try machine.read()
    #expect(machine.fixture.nvidia.asked.count == 1)
    #expect(card.reason("power") == "asleep" && card.text("power_state") == "suspended")
    let other = try NvidiaMachine(control: "on")
    _ = try other.read()
    #expect(other.fixture.nvidia.asked.map(\.staysOpen) == [true])
  }

  @Test func `L9: a driver that hangs ends a source at the third reading`() throws {
    let machine = try NvidiaMachine()
    let fixture = machine.fixture
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: SourceCatalogue.all)
    defer { try? context.close() }
    let source = try context.open("gpu|pci-0000:01:00.0")
    try source.startUpdating(every: 2_000_000_000)
    #expect(Patience.wait { source.allValues[0].status == .ok })
    fixture.nvidia.fail(with: .timedOut)
    let asked = fixture.nvidia.asked.count
    // A tick that finds a reading under way takes none.
    var now: Int64 = 0
    let hasEnded = Patience.wait {
      now += 2_000_000_000
      fixture.loop.advance(to: now)
      return !source.isUpdating
    }
    #expect(hasEnded && fixture.nvidia.asked.count >= asked + 3)
    #expect(source.allValues[0].status == .failed)
  }

  @Test func `a captured tree has files, and no library`() throws {
    let machine = try NvidiaMachine()
    let tree = Machine(
      nature: .captured, files: machine.fixture.machine.files, notices: nil,
      clock: machine.fixture.machine.clock, switches: machine.fixture.machine.switches,
      addresses: nil)
    let cards = KindHarness(Graphics(), machine: tree)
    #expect(try cards.read("pci-0000:01:00.0").status("power") == .unsupported)
    #expect(cards.instance("pci-0000:01:00.0")?.availability.remedy.isEmpty == false)
  }

  @Test func `V5, M4: a hostile file changes only its own values`() throws {
    let device = GraphicsTests.radeon
    let chip = "\(device)/hwmon/hwmon3"
    let own = [
      "gpu_busy_percent": "utilization", "mem_busy_percent": "memory_utilization",
      "vcn_busy_percent": "video_utilization", "mem_info_vram_total": "memory_total",
      "mem_info_vram_used": "memory_used", "mem_info_gtt_total": "shared_total",
      "mem_info_gtt_used": "shared_used", "unique_id": "uuid",
      "hwmon/hwmon3/temp1_input": "temperature", "hwmon/hwmon3/temp2_input": "temperature_hotspot",
      "hwmon/hwmon3/temp3_input": "temperature_memory", "hwmon/hwmon3/power1_cap": "power_limit",
      "hwmon/hwmon3/freq1_input": "frequency", "hwmon/hwmon3/freq2_input": "memory_frequency",
      "hwmon/hwmon3/fan1_input": "fan_speed", "hwmon/hwmon3/pwm1": "fan_duty",
      "hwmon/hwmon3/power1_average": "power",
    ]
    var files: [String: HostileFile] = [:]
    for (file, key) in own { files["\(device)/\(file)"] = HostileFile(own: [key]) }
    files["\(device)/product_name"] = HostileFile(derived: ["model"])
    files["\(device)/vendor"] = HostileFile(derived: ["vendor"])
    files["\(device)/power/runtime_status"] = HostileFile(derived: ["power_state"])
    let labelled = [
      "temp1": "temperature", "temp2": "temperature_hotspot", "temp3": "temperature_memory",
      "freq1": "frequency", "freq2": "memory_frequency",
    ]
    for (channel, key) in labelled {
      files["\(chip)/\(channel)_label"] = HostileFile(derived: [key])
    }
    try expectOnlyOwnValuesChange(
      Graphics(), on: machine(named: "graphics-amd"), instance: "pci-0000:03:00.0", files: files,
      ignoring: [
        "in0_label", "in1_label", "control", "autosuspend_delay_ms", "name",
        "/run/udev/data/+pci:0000:c4:00.0",
      ])
  }
}
