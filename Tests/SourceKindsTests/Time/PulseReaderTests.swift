import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct PulseReaderTests {
  private static let folder = "/sys/class/pps/pps0"
  /// A whole second shortly before the time of a fixture's clock.
  private static let now = VirtualTime.realtimeAtBoot / 1_000_000_000

  private func read(_ assert: String, _ clear: String? = nil) throws -> [String: Outcome] {
    var files = ["\(Self.folder)/assert": assert, "\(Self.folder)/name": "gps\n"]
    files["\(Self.folder)/clear"] = clear
    return try KindHarness(SystemClock(), machine: machine(of: files)).read("pps-gps")
  }

  @Test(arguments: [
    ("000000000", 0.0), ("000300000", -0.0003), ("499999999", -0.499999999),
    ("999999000", 1e-6), ("500000001", 0.499999999),
  ])
  func `13.9 a pulse tells how far the clock is behind its second`(part: String, offset: Double)
    throws
  {
    let found = try read("\(Self.now - 1).\(part)#42\n")
    #expect(found.payload("offset") == .double(offset))
    #expect(found.payload("pulses") == .int(42) && found.text("label") == "gps")
    let time = (Self.now - 1) * 1_000_000_000 + (try #require(Int64(part)))
    #expect(found.payload("pulse_time") == .time(time))
    for key in ["synchronized", "maximum_error", "server", "clock_source"] {
      #expect(found.status(key) == .unsupported, "\(key)")
    }
  }

  @Test func `13.9 a pulse older than 3 s is stale, and its number is not`() throws {
    #expect(try read("\(Self.now - 3).000000000#1\n").status("offset") == .ok)
    let found = try read("\(Self.now - 3).-00000001#1\n")
    #expect(found.status("offset") == .failed)
    let old = try read("\(Self.now - 4).999999999#9\n")
    for key in ["offset", "pulse_time"] {
      #expect(old.status(key) == .stale)
      #expect(old.reason(key) == "no pulse for more than 3 s")
    }
    #expect(old["offset"]?.value == .double(1e-9) && old.payload("pulses") == .int(9))
  }

  @Test func `13.9 the other edge counts where the first is not stamped`() throws {
    let pulse = "\(Self.now).000000000#7\n"
    for first in ["", "\n", "0.000000000#0\n"] {
      #expect(try read(first, pulse).payload("pulses") == .int(7), "\(first)")
    }
    #expect(try read(pulse, "\(Self.now).500000000#8\n").payload("pulses") == .int(7))
    let none = try read("0.000000000#0\n", "")
    #expect(none.payload("pulses") == .int(0))
    #expect(none.reason("pulse_time") == "no pulse so far")
    #expect(none.status("offset") == .noData)
    #expect(try read("", "").status("pulses") == .noData)
    #expect(try read("", nil).status("pulses") == .noData)
  }

  @Test(arguments: [
    "1", "1#2", "1.0#2", "1.000000000", "1.000000000#", "#1", "1.000000000#1#2", ".000000000#1",
    "-1.000000000#1", "1.0000000000#1", "1.00000000x#1", "99999999999.000000000#1",
    "1.000000000#99999999999999999999", "x",
  ])
  func `16 what is no pulse is an error`(text: String) throws {
    let found = try read(text + "\n")
    for key in ["pulses", "pulse_time", "offset"] { #expect(found.status(key) == .failed) }
    #expect(found.text("label") == "gps")
  }

  @Test func `V3 the raw value is the edge that counted`() throws {
    let kind = KindHarness(SystemClock(), machine: try machine(named: "clock-board"))
    let raw = try kind.raw("pps-pps@12.-1", "offset")
    #expect(raw?.place == "/sys/class/pps/pps0/assert")
    #expect(try kind.raw("pps10", "pulses")?.place == "/sys/class/pps/pps10/clear")
    // The tree was captured long ago.
    #expect(try kind.read("pps-pps@12.-1").status("offset") == .stale)
  }

  @Test func `V5 M4 a hostile file changes only its own values`() throws {
    try expectOnlyOwnValuesChange(
      SystemClock(), on: machine(named: "clock-board"), instance: "pps0",
      files: [
        "/sys/class/pps/pps0/assert": HostileFile(derived: ["pulses", "pulse_time", "offset"]),
        // The first edge counts.
        "/sys/class/pps/pps0/clear": HostileFile(derived: ["pulses", "pulse_time", "offset"]),
        "/sys/class/pps/pps0/name": HostileFile(own: ["label"], decidesInstance: true),
      ],
      ignoring: [
        "clock_name", "/sys/class/pps/pps2/name", "/sys/class/pps/pps10/name",
        "/.gkit/adjtimex",
      ])
  }
}
