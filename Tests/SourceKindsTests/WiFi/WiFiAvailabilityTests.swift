import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing

@testable import SourceKinds

/// What there is, whether it can be asked, and what one failing question costs.
@Suite struct WiFiAvailabilityTests {
  private static let path = "/sys/class/net/wlan0"
  private static let missing = MissingLibrary(
    library: "libnl-genl-3.so.200", reason: "libnl-genl-3.so.200: no such file",
    package: "libnl-genl-3-200")

  @Test func `interfaces are named as network names them, others are not listed (5.6, N6)`() throws
  {
    let files = [
      "/sys/class/net/wlan0/ifindex": "3\n", "/sys/class/net/wlan0/name_assign_type": "1\n",
      "/sys/class/net/wlan0/uevent": "DEVTYPE=wlan\nINTERFACE=wlan0\n",
      "/sys/class/net/wlp3s0/phy80211/name": "phy1\n",
      "/sys/class/net/eth0/type": "1\n", "/sys/class/net/lo/type": "772\n",
      // What hears all radios has their hardware type, and is no interface of theirs.
      "/sys/class/net/hwsim0/type": "803\n",
      "/sys/devices/pci0000:00/0000:02:00.0/vendor": "0x8086\n",
    ]
    let machine = try FixtureMachine(
      files,
      links: ["/sys/class/net/wlan0/device": "../../../devices/pci0000:00/0000:02:00.0"],
      radio: FixtureRadio())
    let found = KindHarness(WiFi(), machine: machine.machine).discover().instances
    #expect(found.map(\.name) == ["pci-0000:02:00.0", "wlp3s0"])
    #expect(found.first?.aliases == ["wlan0"])
    #expect(found.allSatisfy { $0.topics == [.radio] && $0.availability.state == .available })
    let networks = KindHarness(Network(), machine: machine.machine).names
    #expect(Set(found.map(\.name)).isSubset(of: networks))
  }

  @Test func `a machine without wireless interfaces has no hardware, without remedy (A1)`() throws {
    let machine = try FixtureMachine(["/sys/class/net/lo/type": "772\n"], radio: FixtureRadio())
    let discovery = WiFi().discover(on: machine.machine)
    #expect(discovery.instances.isEmpty)
    #expect(discovery.absence.state == .noHardware)
    #expect(discovery.absence.remedy.isEmpty)
  }

  @Test func `a family the kernel lacks is unsupportedByKernel, in captured trees as well (C3)`()
    throws
  {
    let radio = FixtureRadio()
    radio.fail(.opening, with: .noFamily("the kernel has no netlink family nl80211"))
    for radio in [radio, nil] {
      let machine = try WiFiTests.laptop(radio)
      let known = try #require(WiFi().discover(on: machine.machine).instances.first)
      #expect(known.availability.state == .unsupportedByKernel)
      #expect(
        known.availability.detail.hasSuffix("so only \(Self.path) is known"))
      #expect(!known.availability.remedy.isEmpty)
      #expect(throws: SourceError.self) { try WiFi().open(known, on: machine.machine) }
      let bare = try FixtureMachine(["/sys/class/net/lo/type": "772\n"], radio: radio)
      #expect(WiFi().discover(on: bare.machine).absence.state == .unsupportedByKernel)
    }
  }

  @Test func `a missing library is named with its package, and the interface stays (M1)`() throws {
    let radio = FixtureRadio()
    radio.fail(.opening, with: .missingLibrary(Self.missing))
    let machine = try WiFiTests.laptop(radio)
    let known = try #require(WiFi().discover(on: machine.machine).instances.first)
    #expect(known.availability.state == .failed)
    #expect(known.availability.remedy == "install libnl-genl-3-200")
    #expect(known.availability.detail.hasPrefix("libnl-genl-3.so.200"))
  }

  @Test func `a blocked radio is powered off, by its own switch or another (4.2)`() throws {
    let radio = FixtureRadio([3: WiFiTests.link()])
    let folder = "\(Self.path)/phy80211/rfkill4"
    for (soft, hard, word) in [
      ("1", "0", "rfkill unblock"), ("1", "1", "switch"), ("0", "1", "key"),
    ] {
      let machine = try WiFiTests.laptop(
        radio, ["\(folder)/soft": "\(soft)\n", "\(folder)/hard": "\(hard)\n"])
      let known = try #require(WiFi().discover(on: machine.machine).instances.first)
      #expect(known.availability.state == .poweredOff)
      #expect(known.availability.detail.contains("rfkill4"))
      #expect(known.availability.remedy.contains(word))
    }
    for text in ["0\n", "", "yes\n"] {
      let machine = try WiFiTests.laptop(
        radio, ["\(folder)/soft": text, "\(folder)/hard": "0\n"])
      #expect(
        WiFi().discover(on: machine.machine).instances.first?.availability.state == .available)
    }
  }

  /// A question, and the properties that live of its answer alone.
  private static let questions: [(FixtureRadio.Request, Set<String>)] = [
    (.interface, ["ssid", "ssid_bytes", "frequency", "channel_width", "mode", "interface", "mac"]),
    (.network, ["signal_quality", "security"]),
    (
      .stations,
      [
        "tx_bitrate", "rx_bitrate", "connected_time", "inactive_time", "rx_bytes", "tx_bytes",
        "tx_retries", "tx_failed",
      ]
    ),
    (.powerSave, ["power_save"]),
  ]

  @Test(arguments: questions.indices)
  func `one question that fails costs its own values alone (V5)`(index: Int) throws {
    let (question, own) = Self.questions[index]
    let radio = FixtureRadio([3: WiFiTests.link()])
    let machine = try WiFiTests.laptop(radio)
    let harness = KindHarness(WiFi(), machine: machine.machine)
    let before = try harness.read("wlan0")
    radio.fail(question, with: .refused(SystemError(5, at: "nl80211")))
    let after = try harness.read("wlan0")
    for key in WiFi.table.map(\.key) where !own.contains(key) {
      // Without the interface's type it is unknown which station is the one.
      if question == .interface && after.status(key) != .ok { continue }
      if key == "signal" && (question == .stations || question == .interface) {
        #expect(after.double(key) == -55.5)
      } else {
        #expect(after[key] == before[key], "\(key)")
      }
    }
    for key in own {
      #expect(after.status(key) == .failed, "\(key)")
      #expect(after[key]?.absence?.errno == 5, "\(key)")
    }
  }

  @Test func `E3: what the kernel and libnl say of an answer becomes a status`() throws {
    let radio = FixtureRadio([3: WiFiTests.link()])
    let machine = try WiFiTests.laptop(radio)
    let harness = KindHarness(WiFi(), machine: machine.machine)
    let cases: [(NetlinkError, ValueStatus)] = [
      (.refused(SystemError(95, at: "x")), .unsupported),
      (.refused(SystemError(1, at: "x")), .permission),
      (.refused(SystemError(19, at: "x")), .noData), (.refused(SystemError(110, at: "x")), .failed),
      (.failed(code: 16, text: "nl80211: Message sequence number mismatch"), .failed),
      (.noFamily("gone"), .noData), (.missingLibrary(Self.missing), .failed),
    ]
    for (error, status) in cases {
      radio.fail(.powerSave, with: error)
      #expect(try harness.read("wlan0").status("power_save") == status, "\(error)")
    }
  }

  @Test func `an interface that has gone is no data, whatever was known of it`() throws {
    let radio = FixtureRadio([3: WiFiTests.link()])
    let machine = try WiFiTests.laptop(radio)
    let harness = KindHarness(WiFi(), machine: machine.machine)
    try machine.remove("\(Self.path)/ifindex")
    let values = try harness.read("wlan0")
    #expect(values.values.allSatisfy { $0.status == .noData && $0.absence?.errno == 19 })
    try machine.write("many\n", to: "\(Self.path)/ifindex")
    #expect(try harness.read("wlan0").values.allSatisfy { $0.status == .failed })
    try machine.write("7\n", to: "\(Self.path)/ifindex")
    #expect(try harness.read("wlan0").values.allSatisfy { $0.status == .noData })
  }

  @Test func `a failed reading reads nothing, so that three in a row can end a session (L9)`()
    throws
  {
    let radio = FixtureRadio([3: WiFiTests.link()])
    let machine = try WiFiTests.laptop(radio)
    for question in [.interface, .network, .stations, .powerSave] as [FixtureRadio.Request] {
      radio.fail(question, with: .refused(SystemError(5, at: "nl80211")))
    }
    let values = try KindHarness(WiFi(), machine: machine.machine).read("wlan0")
    #expect(values.values.allSatisfy { $0.status == .failed })
  }
}
