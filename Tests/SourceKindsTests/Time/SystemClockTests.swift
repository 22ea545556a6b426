import GatheredKitTesting
import Gathering
import Glibc
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct SystemClockTests {
  private func harness(_ clock: String) throws -> KindHarness {
    KindHarness(SystemClock(), machine: try machine(of: ["/.gkit/adjtimex": clock]))
  }

  @Test func `13.9 the system comes first, then pulses, then the clocks of devices`() throws {
    let kind = KindHarness(SystemClock(), machine: try machine(named: "clock-board"))
    #expect(
      kind.names == [
        "system", "pps-pps@12.-1", "pps-ktimer", "pps-ktimer~2",
        "ptp-fec ptp.fec.7", "ptp-KVM virtual PTP",
      ])
    #expect(kind.instance("pps-ktimer")?.aliases == ["pps2"])
    #expect(kind.instance(alias: "ptp1")?.name == "ptp-KVM virtual PTP")
    #expect(kind.instance("ptp-fec ptp.fec.7")?.availability.detail == "only its name")
    #expect(kind.instance("system")?.availability.backend == "adjtimex")
  }

  @Test func `13.9 every number of the kernel reaches its own property`() throws {
    let kind = KindHarness(SystemClock(), machine: try machine(named: "clock-board"))
    let found = try kind.read("system")
    #expect(found.payload("synchronized") == .bool(true))
    #expect(found.payload("offset") == .double(-1250e-9))
    #expect(found.payload("maximum_error") == .double(0.0315))
    #expect(found.payload("estimated_error") == .double(0.00042))
    // A tick one microsecond longer is 100 ppm.
    #expect(found.payload("frequency_correction") == .double(-21 + 100))
    #expect(found.payload("jitter") == .double(850e-9))
    #expect(found.text("leap") == "none" && found.text("service") == "kernel")
    #expect(found.payload("tai_offset") == .int(37))
    #expect(found.text("clock_source") == "arch_sys_counter")
    for key in ["root_delay", "root_dispersion", "stratum", "server", "poll_interval"] {
      #expect(found.reason(key) == "no daemon tells it", "\(key)")
    }
    for key in ["pulses", "pulse_time", "label"] { #expect(found.status(key) == .unsupported) }
    #expect(try kind.raw("system", "frequency_correction")?.place == "adjtimex.freq")
    #expect(try kind.raw("system", "offset")?.bytes == Array("-1250".utf8))
  }

  @Test(arguments: 0..<16)
  func `13.9 each bit of the status means one thing`(bit: Int) throws {
    let found = try harness(
      """
      state 0
      status \(1 << bit)
      offset 250000
      jitter 12000

      """
    ).read("system")
    #expect(found.payload("synchronized") == .bool(bit != 6), "STA_UNSYNC")
    #expect(found.payload("offset") == (bit == 0 ? .double(0.25) : nil), "STA_PLL")
    #expect(found.payload("jitter") == (bit == 8 ? .double(0.012) : nil), "STA_PPSSIGNAL")
    let nano = try harness(
      """
      state 0
      status \(1 << bit | 0x2000)
      offset 250000
      jitter 12000

      """
    ).read("system")
    #expect(nano.payload("offset") == (bit == 0 ? .double(0.00025) : nil), "STA_NANO")
    #expect(nano.payload("jitter") == (bit == 8 ? .double(12e-6) : nil), "STA_NANO")
  }

  @Test(
    arguments: [
      (0, "none"), (1, "insert"), (2, "delete"), (3, "insert"), (4, "none"), (5, "unsynchronized"),
      (6, nil),
    ] as [(Int, String?)])
  func `the kernel's state has a word`(state: Int, word: String?) throws {
    let found = try harness("state \(state)\nstatus 0\n").read("system")
    #expect(found.text("leap") == word)
    if word == nil { #expect(found.status("leap") == .failed) }
  }

  @Test func `13.9 what was never set, and what cannot be, is none`() throws {
    let never = try harness("status 64\nmaxerror 16000000\nesterror 16000000\ntai 0\n")
      .read("system")
    for key in ["maximum_error", "estimated_error"] { #expect(never.reason(key) == "never set") }
    #expect(never.status("tai_offset") == .noData)
    for (offset, status) in [
      (500_000, ValueStatus.ok), (-500_000, .ok), (500_001, .failed), (-4_294_967_296, .failed),
    ] {
      let found = try harness("status 1\noffset \(offset)\n").read("system")
      #expect(found.status("offset") == status, "\(offset)")
    }
    let odd = try harness("status 256\nmaxerror -1\nesterror 15999999\njitter -1\n")
      .read("system")
    #expect(odd.status("maximum_error") == .failed && odd.status("jitter") == .failed)
    #expect(odd.payload("estimated_error") == .double(15.999999))
  }

  @Test func `V5 a number that is not told, or is none, costs its values alone`() throws {
    let found = try harness("status 8193\noffset x\nmaxerror 5\nfreq 65536\ntick -\n")
      .read("system")
    #expect(found.status("offset") == .failed && found.status("frequency_correction") == .failed)
    #expect(found.payload("maximum_error") == .double(5e-6))
    #expect(found.status("estimated_error") == .unsupported)
    #expect(found.payload("synchronized") == .bool(true))
    let none = try harness("freq 65536\ntick 10000\n").read("system")
    #expect(none.payload("frequency_correction") == .double(1))
    for key in ["synchronized", "offset", "jitter"] { #expect(none.status(key) == .unsupported) }
  }

  private struct ClosedClock: KernelClock {
    let code: Int32
    func numbers() throws(SystemError) -> ClockNumbers {
      throw SystemError(code, at: "adjtimex")
    }
  }

  @Test func `a sandbox that forbids the call is told of, and costs nothing else`() throws {
    let machine = try machine(of: [
      "/sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n"
    ])
    for code in [EPERM, EACCES] {
      let closed = ClockAccess(kernel: ClosedClock(code: code))
      let kind = KindHarness(SystemClock(), machine: machine.with(clocks: closed))
      let found = try kind.read("system")
      #expect(found.status("synchronized") == .permission)
      #expect(found["offset"]?.absence?.remedy == "let the sandbox call adjtimex")
      #expect(found.text("clock_source") == "tsc")
    }
    let missing = ClockAccess(kernel: ClosedClock(code: ENOSYS))
    let kind = KindHarness(SystemClock(), machine: machine.with(clocks: missing))
    #expect(try kind.read("system").status("synchronized") == .unsupported)
  }

  private struct FixedClock: KernelClock {
    func numbers() throws(SystemError) -> ClockNumbers {
      var numbers = ClockNumbers()
      (numbers[.status], numbers[.tai]) = (.number(8193), .number(37))
      return numbers
    }
  }

  @Test func `C3 a capture has the clock of its machine`() throws {
    let clocks = ClockAccess(kernel: FixedClock())
    let capture = try MachineCapture(
      of: machine(of: ["/sys/class/": ""]).with(clocks: clocks), kinds: [SystemClock()],
      allow: .none)
    #expect(capture.tree.files["/.gkit/adjtimex"] == Array("status 8193\ntai 37\n".utf8))
    let without = try MachineCapture(
      of: machine(of: ["/sys/class/": ""]), kinds: [SystemClock()], allow: .none)
    #expect(without.tree.files["/.gkit/adjtimex"] == nil)
  }

  @Test func `a tree without the side file has no clock, but what chronyd tells`() throws {
    let machine = try machine(of: ["/sys/class/": ""])
    let kind = KindHarness(SystemClock(), machine: machine)
    #expect(kind.names.isEmpty && kind.discover().absence.state == .noHardware)
    let told = KindHarness(SystemClock(), machine: machine.with(chrony: PlayedChrony()))
    let found = try told.read("system")
    #expect(found.payload("stratum") == .int(3))
    #expect(found.status("synchronized") == .unsupported)
  }

  @Test func `the clock of this computer is there, without rights and without a daemon`() throws {
    let port = try LoopbackDatagrams.freePort()
    let context = try Context.open(
      "local:chrony=127.0.0.1:\(port)&bus=unix:path%3D/nowhere", catalogue: [SystemClock()])
    defer { try? context.close() }
    let source = try context.open("time")
    #expect(source.id.description == "time|system" && source.availability.group == .available)
    let values = try source.updateValues()
    #expect(values[SystemClock.Field.synchronized.rawValue].status == .ok)
    #expect(values[SystemClock.Field.service.rawValue].payload == .string("kernel"))
    #expect(values[SystemClock.Field.frequencyCorrection.rawValue].status == .ok)
  }

  @Test func `C1 a parameter names where chronyd listens`() throws {
    let daemon = try LoopbackDatagrams { [PlayedReport().datagram(answering: $0)] }
    let folder = try TemporaryFolder()
    let context = try Context.open(
      "local:root=\(folder.path)&chrony=localhost:\(daemon.port)", catalogue: [SystemClock()])
    defer { try? context.close() }
    let values = try context.open("time").updateValues()
    #expect(values[SystemClock.Field.stratum.rawValue].payload == .int(3))
    // P1: whom it asks is not asked for.
    #expect(values[SystemClock.Field.server.rawValue].status == .permission)
    for text in ["", "a b", "host:0", "host:x"] {
      #expect(throws: SourceError.self) {
        try Context.open("local:chrony=\(text)", catalogue: [SystemClock()])
      }
    }
  }

  @Test func `16 V5 M4 a hostile file changes only its own values`() throws {
    let numbers = [
      "synchronized", "offset", "maximum_error", "estimated_error", "frequency_correction",
      "jitter", "leap", "tai_offset", "root_delay", "root_dispersion", "stratum", "server",
      "poll_interval", "last_update",
    ]
    try expectOnlyOwnValuesChange(
      SystemClock(), on: machine(named: "clock-board"), instance: "system",
      files: [
        "/.gkit/adjtimex": HostileFile(derived: numbers, decidesInstance: true),
        "current_clocksource": HostileFile(own: ["clock_source"]),
      ], ignoring: ["name", "clock_name"])
  }
}
