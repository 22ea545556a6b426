import GatheredKitTesting
import Gathering
import Testing

@testable import Recording
@testable import SourceKinds

/// What node_exporter tells too (serve W31). That the numbers are its own proves `.ci/try-metrics`.
struct NodeMetricTests {
  /// The lines of a page that begin so, without heads.
  private static func lines(
    of context: Context, about start: String, _ form: MetricText = .prometheus
  ) throws -> [String] {
    var page = MetricPage()
    page.addNode(try MetricScraper(context).scrape(within: Patience.limit))
    let text = String(decoding: page.text(as: form), as: UTF8.self)
    return text.split(separator: "\n").map(String.init).filter { $0.hasPrefix(start) }
  }

  private static func lines(
    of fixture: FixtureMachine, about start: String
  ) throws -> [String] {
    let context = try Context.open(
      on: fixture.machine, loop: fixture.loop, catalogue: SourceCatalogue.all)
    defer { try? context.close() }
    return try lines(of: context, about: start)
  }

  @Test func `chips are named by the places of their devices, and nonsense has no sample`() throws {
    let chip = "/sys/devices/platform/Nct.1/hwmon/hwmon3/"
    let fixture = try FixtureMachine(
      [
        chip + "name": "nct", chip + "fan1_input": "1180", chip + "fan2_input": "65535",
        chip + "fan3_input": "700", chip + "fan3_fault": "1", chip + "fan1_min": "0",
        chip + "temp1_input": "58800",
        "/sys/devices/virtual/hwmon/hwmon4/name": "Think-Pad",
        "/sys/devices/virtual/hwmon/hwmon4/temp2_input": "45000",
        chip + "in0_input": "1040", chip + "in0_alarm": "1", chip + "curr1_input": "-1250",
        chip + "power1_average": "6265000", chip + "energy2_input": "4321000",
        "/sys/devices/virtual/hwmon/hwmon4/power1_input": "5000000",
      ],
      links: [
        chip + "device": "../../../Nct.1",
        "/sys/class/hwmon/hwmon3": "../../devices/platform/Nct.1/hwmon/hwmon3",
        "/sys/class/hwmon/hwmon4": "../../devices/virtual/hwmon/hwmon4",
      ])
    let expected: Set = [
      #"node_hwmon_fan_rpm{chip="platform_nct_1",sensor="fan1"} 1180.0"#,
      #"node_hwmon_fan_fault{chip="platform_nct_1",sensor="fan3"} 1.0"#,
      // Not 58.8: what node_exporter computes.
      #"node_hwmon_temp_celsius{chip="platform_nct_1",sensor="temp1"} 58.800000000000004"#,
      #"node_hwmon_temp_celsius{chip="think_pad",sensor="temp2"} 45.0"#,
      #"node_hwmon_in_volts{chip="platform_nct_1",sensor="in0"} 1.04"#,
      #"node_hwmon_curr_amps{chip="platform_nct_1",sensor="curr1"} -1.25"#,
      #"node_hwmon_power_average_watt{chip="platform_nct_1",sensor="power1"} 6.265"#,
      #"node_hwmon_energy_joule_total{chip="platform_nct_1",sensor="energy2"} 4.321"#,
      #"node_hwmon_power_watt{chip="think_pad",sensor="power1"} 5.0"#,
    ]
    #expect(Set(try Self.lines(of: fixture, about: "node_hwmon")) == expected)
  }

  @Test(arguments: [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (5, 0)])
  func `a clock is synchronized as the kernel's answer has it`(state: Int, word: Int) throws {
    let fixture = try FixtureMachine([
      "/.gkit/adjtimex": "state \(state)\nstatus 1\nmaxerror 31500\nesterror 16000000\ntai 37\n"
    ])
    #expect(
      try Self.lines(of: fixture, about: "node_timex") == [
        "node_timex_maxerror_seconds 0.0315", "node_timex_sync_status \(word).0",
        "node_timex_tai_offset_seconds 37",
      ])
  }

  @Test func `a name with a hardware address has no sample, nor has its digest`() throws {
    let names = ["enx0023aabbccdd", "eth0"]
    let supplies = ["hid-00:23:aa:bb:cc:dd-battery", "BAT0"]
    var texts: [String: String] = [:]
    for name in names {
      texts["/sys/class/net/\(name)/operstate"] = "up"
      texts["/sys/class/net/\(name)/statistics/tx_bytes"] = "7"
    }
    for name in supplies {
      texts["/sys/class/power_supply/\(name)/type"] = "Battery"
      texts["/sys/class/power_supply/\(name)/capacity"] = "50"
    }
    let fixture = try FixtureMachine(texts)
    #expect(
      try Self.lines(of: fixture, about: "node_") == [
        #"node_network_transmit_bytes_total{device="eth0"} 7"#,
        #"node_network_up{device="eth0"} 1"#,
        #"node_power_supply_capacity{power_supply="BAT0"} 50.0"#,
      ])
  }

  @Test func `a simulated machine has what kinds give as it is, and nothing of files`() throws {
    let context = try Context.open("sim:laptop&clock=manual", catalogue: SourceCatalogue.all)
    defer { try? context.close() }
    let samples = try Self.lines(of: context, about: "node_")
    #expect(samples.contains("node_memory_MemTotal_bytes 16647688192"))
    #expect(samples.contains(#"node_network_up{device="lo"} 1"#))
    #expect(!samples.contains { $0.contains("_bytes_total{device=\"lo\"}") })
    #expect(!samples.contains { $0.hasPrefix("node_hwmon") || $0.hasPrefix("node_disk") })
    let types = try Self.lines(of: context, about: "# TYPE node_network", .openMetrics)
    #expect(types.contains("# TYPE node_network_receive_bytes counter"))
    #expect(types.contains("# TYPE node_network_up gauge"))
  }

  @Test func `what node_exporter leaves out is left out`() {
    let out = [
      "ram0", "loop7", "fd0", "sda1", "vdb12", "xvda1", "hdc3", "nvme0n1p2", "nvme12n3p45",
    ]
    let inside = ["sda", "dm-0", "md127", "zram0", "nvme0n1", "mmcblk0p2", "sr0", "sdaa1", "sdA1"]
    #expect(out.filter { !NodeExclusion.disk($0) } == [])
    #expect(inside.filter { NodeExclusion.disk($0) } == [])
    let hidden = ["/dev", "/run/lock", "/media/stick", "/var/lib/docker/x"]
    #expect(hidden.filter { !NodeExclusion.mountPoint($0) } == [])
    let shown = ["/", "/home", "/devices", "/var/lib/docker", "/var/lib/docker/", "/srv/run"]
    #expect(shown.filter { NodeExclusion.mountPoint($0) } == [])
  }
}
