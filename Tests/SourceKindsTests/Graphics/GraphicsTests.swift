import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// Cards whose drivers tell of them in sysfs (catalogue 13.1).
@Suite struct GraphicsTests {
  static let radeon = "/sys/devices/pci0000:00/0000:00:01.1/0000:03:00.0"
  static let apu = "/sys/devices/pci0000:00/0000:00:08.1/0000:c4:00.0"
  static let arc = "/sys/devices/pci0000:00/0000:00:06.0/0000:03:00.0"

  static func harness(_ name: String) throws -> (KindHarness, AlteredFiles) {
    let machine = try machine(named: name)
    let files = AlteredFiles(over: machine.files)
    return (KindHarness(Graphics(), machine: machine.with(files: files)), files)
  }

  @Test func `discrete cards come first, named by their place`() throws {
    let amd = try Self.harness("graphics-amd").0
    #expect(amd.names == ["aggregate", "pci-0000:03:00.0", "pci-0000:c4:00.0"])
    #expect(amd.instance("pci-0000:03:00.0")?.aliases == ["card1"])
    #expect(amd.instance("pci-0000:c4:00.0")?.label == "Phoenix1")
    #expect(
      try Self.harness("graphics-intel").0.names
        == ["aggregate", "pci-0000:03:00.0", "pci-0000:00:02.0"])
    #expect(
      try Self.harness("graphics-board").0.names == ["aggregate", "fec00000.v3d", "1c40000.gpu"])
    // A card without a node to render only shows pictures.
    #expect(try Self.harness("server").0.names == [])
    #expect(try Self.harness("server").0.discover().absence.state == .noHardware)
  }

  @Test func `every file of an amdgpu card reaches its own property`() throws {
    let card = try Self.harness("graphics-amd").0.read("pci-0000:03:00.0")
    let numbers: [(String, Double)] = [
      ("utilization", 0.37), ("memory_utilization", 0.12), ("video_utilization", 0.05),
      ("memory_total", 8_573_157_376), ("memory_used", 1_403_990_016),
      ("shared_total", 16_672_342_016), ("shared_used", 41_205_760), ("temperature", 52),
      ("temperature_hotspot", 61), ("temperature_memory", 58), ("power", 41),
      ("power_limit", 120), ("frequency", 1.275e9), ("memory_frequency", 1.124e9),
      ("fan_speed", 1831), ("fan_duty", 0.4),
    ]
    for (key, number) in numbers { #expect(card.double(key) == number, "\(key)") }
    let texts = [
      "power_state": "active", "vendor": "amd", "model": "Radeon RX 7600M XT", "driver": "amdgpu",
      "pci_address": "0000:03:00.0", "uuid": "5e7d3a9b1c2f4860",
    ]
    for (key, text) in texts { #expect(card.text(key) == text, "\(key)") }
    #expect(card.payload("integrated") == .bool(false))
    #expect(card.payload("keep_awake") == .bool(false))
    for key in [
      "encoder_utilization", "decoder_utilization", "energy", "frequency_maximum", "throttle",
      "performance_state", "driver_version",
    ] {
      #expect(card.status(key) == .unsupported, "\(key)")
    }
  }

  @Test func `the graphics of a processor share its memory and have no controller`() throws {
    let (amd, files) = try Self.harness("graphics-amd")
    let apu = try amd.read("pci-0000:c4:00.0")
    #expect(apu.payload("integrated") == .bool(true) && apu.text("model") == "Phoenix1")
    #expect(apu.double("power") == 9.05 && apu.status("memory_utilization") == .unsupported)
    #expect(apu.payload("shared_total") == .int(16_560_000_000))
    let detail = amd.instance("pci-0000:c4:00.0")?.availability.detail
    #expect(detail == "power is that of the whole processor")
    // 0 W is no reason to look elsewhere.
    files.write("0\n", to: "\(Self.radeon)/hwmon/hwmon3/power1_average")
    #expect(try amd.read("pci-0000:03:00.0").double("power") == 0)
    files.write("0\n", to: "\(Self.radeon)/hwmon/hwmon3/power1_cap")
    #expect(try amd.read("pci-0000:03:00.0").status("power_limit") == .noData)
  }

  @Test func `a card that is fully used for a minute may be stuck`() throws {
    let (amd, files) = try Self.harness("graphics-amd")
    files.write("100\n", to: "\(Self.radeon)/gpu_busy_percent")
    let instance = try #require(amd.instance("pci-0000:03:00.0"))
    let reader = try #require(try amd.kind.open(instance, on: amd.machine))
    var reading = Reading(properties: Graphics.table.count)
    for (second, isDoubted) in [(0, false), (59, false), (60, true), (61, true)] {
      reading.instant = Instant(boot: Int64(second) * 1_000_000_000, realtime: 0)
      reader.read(ReadRequest(scope: .changing, allow: .all), into: &reading)
      #expect(reading[Graphics.Field.utilization].isLowAccuracy == isDoubted, "\(second)")
    }
    files.write("104\n", to: "\(Self.radeon)/gpu_busy_percent")
    #expect(try amd.read("pci-0000:03:00.0").double("utilization") == 1)
  }

  @Test func `i915 counts the time asleep; of several units the busiest counts`() throws {
    let (intel, files) = try Self.harness("graphics-intel")
    let card = "/sys/class/drm/card0/gt"
    let used = try intel.readTwice("pci-0000:00:02.0", apart: 2) {
      files.write("3918500\n", to: "\(card)/gt0/rc6_residency_ms")
      files.write("4022000\n", to: "\(card)/gt1/rc6_residency_ms")
    }
    #expect(used["utilization"] == .ok(.double(0.75), lowAccuracy: true))
    #expect(used.double("frequency") == 600e6 && used.double("frequency_maximum") == 1350e6)
    #expect(used.text("throttle") == "power thermal" && used.text("vendor") == "intel")
    #expect(used.payload("integrated") == .bool(true))
    #expect(intel.instance("pci-0000:00:02.0")?.availability.detail.hasSuffix("awake") == true)
    #expect(used.status("energy") == .unsupported && used.status("power") == .unsupported)
  }

  @Test func `the counter of i915 wraps, and one that begins anew gives nothing`() throws {
    let (intel, files) = try Self.harness("graphics-intel")
    let card = "/sys/class/drm/card0/gt"
    files.alter("\(card)/gt1/rc6_residency_ms", .missing)
    files.write("4294967000\n", to: "\(card)/gt0/rc6_residency_ms")
    let wrapped = try intel.readTwice("pci-0000:00:02.0", apart: 2) {
      files.write("704\n", to: "\(card)/gt0/rc6_residency_ms")
    }
    #expect(wrapped.double("utilization") == 0.5)
    files.write("3917000\n", to: "\(card)/gt0/rc6_residency_ms")
    let begun = try intel.readTwice("pci-0000:00:02.0", apart: 2) {
      files.write("3\n", to: "\(card)/gt0/rc6_residency_ms")
    }
    #expect(begun.reason("utilization") == "needs two readings")
    files.write("0\n", to: "\(card)/gt0/rc6_enable")
    #expect(try intel.read("pci-0000:00:02.0").status("utilization") == .unsupported)
  }

  @Test func `xe has its units in tiles, and counts the energy of the card`() throws {
    let (intel, files) = try Self.harness("graphics-intel")
    let used = try intel.readTwice("pci-0000:03:00.0", apart: 2) {
      files.write("813345\n", to: "\(Self.arc)/tile0/gt0/gtidle/idle_residency_ms")
      files.write("902123\n", to: "\(Self.arc)/tile0/gt1/gtidle/idle_residency_ms")
      files.write("133000000\n", to: "\(Self.arc)/hwmon/hwmon4/energy1_input")
    }
    #expect(used["utilization"] == .ok(.double(0.5), lowAccuracy: true))
    #expect(used.double("power") == 40 && used.double("energy") == 133)
    #expect(used.double("power_limit") == 190 && used.double("frequency") == 1900e6)
    #expect(used.double("frequency_maximum") == 2850e6 && used.text("throttle") == "power")
    #expect(used.double("temperature") == 57 && used.double("temperature_memory") == 64)
    #expect(used.double("fan_speed") == 1450 && used.payload("integrated") == .bool(false))
    let (other, altered) = try Self.harness("graphics-intel")
    altered.write("0\n", to: "\(Self.arc)/tile0/gt0/freq0/throttle/reason_pl2")
    let reason = try other.read("pci-0000:03:00.0").reason("throttle")
    #expect(reason == "not throttled")
    altered.alter("\(Self.arc)/hwmon/hwmon4/energy1_input", .missing)
    #expect(try other.read("pci-0000:03:00.0").double("energy") == 31)
  }

  @Test func `v3d has queues, of which the busiest counts`() throws {
    let (board, files) = try Self.harness("graphics-board")
    let table = "/sys/devices/platform/v3dbus/fec00000.v3d/gpu_stats"
    let used = try board.readTwice("fec00000.v3d", apart: 1) {
      files.write(
        """
        queue\ttimestamp\tjobs\truntime
        bin\t240043069420\t22630\t17638164056
        render\t240043069420\t22629\t27884814161
        tfu\t240043069420\t8763\t394592566
        csd\t240043069420\t3168\t10787905530
        cache_clean\t240043069420\t6127\t237375940

        """, to: table)
    }
    #expect(used["utilization"] == .ok(.double(0.6)))
    #expect(used.text("vendor") == "broadcom" && used.text("model") == "brcm,2711-v3d")
    for odd in ["bin\t1\t2\t3\n", "queue\ttimestamp\tjobs\truntime\nbin\tx\t1\t2\n"] {
      files.write(odd, to: table)
      #expect(try board.read("fec00000.v3d").status("utilization") == .failed)
    }
  }

  @Test func `a chip without counters has a clock, and Tegra its load`() throws {
    let mali = try Self.harness("graphics-board").0.read("1c40000.gpu")
    #expect(mali.double("frequency") == 432e6 && mali.double("frequency_maximum") == 576e6)
    #expect(mali.status("utilization") == .unsupported && mali.text("vendor") == "arm")
    #expect(mali.text("model") == "allwinner,sun50i-a64-mali" && mali.text("driver") == "lima")
    #expect(mali.status("pci_address") == .unsupported)
    let device = "/sys/devices/gpu.0"
    let tegra = KindHarness(
      Graphics(),
      machine: try machine(of: [
        "\(device)/load": "456\n", "\(device)/devfreq/57000000.gpu/cur_freq": "76800000\n",
        "\(device)/devfreq/57000000.gpu/available_frequencies": "76800000 921600000\n",
      ]))
    #expect(tegra.names == ["aggregate", "gpu.0"])
    let card = try tegra.read("gpu.0")
    #expect(card.double("utilization") == 0.456 && card.text("vendor") == "nvidia")
    #expect(card.double("frequency") == 76.8e6 && card.double("frequency_maximum") == 921.6e6)
    #expect(card.text("power_state") == "unknown")
  }

  @Test func `the aggregate sums, and takes the greatest`() throws {
    let (amd, files) = try Self.harness("graphics-amd")
    let all = try amd.read("aggregate")
    #expect(all.double("power") == 50.05 && all.double("utilization") == 0.37)
    // Memory of cards and memory of the machine are never one sum.
    #expect(all.payload("memory_used") == .int(1_403_990_016))
    #expect(all.payload("shared_used") == .int(1_207_959_552))
    #expect(all.double("temperature") == 52 && all.double("temperature_hotspot") == 61)
    #expect(all.text("power_state") == "active" && all.reason("model") == "several cards")
    #expect(all.status("energy") == .unsupported)
    files.write("suspended\n", to: "\(Self.radeon)/power/runtime_status")
    let one = try amd.read("aggregate")
    #expect(one["power"] == .ok(.double(9.05), lowAccuracy: true))
    #expect(one.double("utilization") == 0.08 && one.text("power_state") == "active")
    files.write("suspended\n", to: "\(Self.apu)/power/runtime_status")
    let none = try amd.read("aggregate")
    #expect(none.reason("power") == "asleep" && none.text("power_state") == "suspended")
    let intel = try Self.harness("graphics-intel")
    let both = try intel.0.readTwice("aggregate", apart: 2) {
      intel.1.write("813345\n", to: "\(Self.arc)/tile0/gt0/gtidle/idle_residency_ms")
      intel.1.write("902123\n", to: "\(Self.arc)/tile0/gt1/gtidle/idle_residency_ms")
      intel.1.write("133000000\n", to: "\(Self.arc)/hwmon/hwmon4/energy1_input")
    }
    // i915 has stood still, and so was awake all the time; it measures no power.
    #expect(both["utilization"] == .ok(.double(1), lowAccuracy: true))
    #expect(both["power"] == .ok(.double(40), lowAccuracy: true))
  }

  @Test func `catalogue 13.2: discrete cards are members of power`() throws {
    let machine = try machine(named: "graphics-amd")
    let files = AlteredFiles(over: machine.files)
    let power = KindHarness(Power(), machine: machine.with(files: files))
    #expect(power.names.prefix(2) == ["aggregate", "gpu.pci-0000:03:00.0"])
    let card = try power.read("gpu.pci-0000:03:00.0")
    #expect(card.double("power") == 41 && card.double("limit") == 120)
    #expect(card.text("domain") == "gpu" && card.text("coverage") == "device")
    #expect(card.status("energy") == .unsupported && card.status("parent") == .noData)
    let all = try power.read("aggregate")
    #expect(all.double("power") == 41 && all.text("members") == "gpu.pci-0000:03:00.0")
    files.write("suspended\n", to: "\(Self.radeon)/power/runtime_status")
    #expect(try power.read("aggregate").reason("power") == "asleep")
    let intel = KindHarness(Power(), machine: try SourceKindsTests.machine(named: "graphics-intel"))
    let arc = try intel.read("gpu.pci-0000:03:00.0")
    #expect(arc.double("energy") == 53 && arc.reason("power") == "needs two readings")
  }
}
