import Gathering
import Glibc
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct HardwareClockReaderTests {
  /// Clocks that are so far ahead, and fail by an errno when they are opened or asked.
  private final class PlayedClocks: HardwareClockOpener {
    private final class Clock: HardwareClock {
      let clocks: PlayedClocks
      init(_ clocks: PlayedClocks) { self.clocks = clocks }
      func offset() throws(SystemError) -> Int64 { try clocks.offset() }
    }

    private let ahead: Int64
    private let refusal: Int32
    private let failure: Int32
    private let asked = Monitor<[String]>([])

    init(ahead: Int64 = 0, refusal: Int32 = 0, failure: Int32 = 0) {
      (self.ahead, self.refusal, self.failure) = (ahead, refusal, failure)
    }

    var opened: [String] { asked.withLock { $0 } }

    func open(clock: String) throws(SystemError) -> any HardwareClock {
      asked.withLock { $0.append(clock) }
      if refusal != 0 { throw SystemError(refusal, at: "/dev/\(clock)") }
      return Clock(self)
    }

    fileprivate func offset() throws(SystemError) -> Int64 {
      if failure != 0 { throw SystemError(failure, at: "/dev/ptp0") }
      return ahead
    }
  }

  private func kind(
    _ clocks: PlayedClocks, _ status: String = "active"
  ) throws -> KindHarness {
    let machine = try machine(of: [
      "/sys/class/ptp/ptp0/clock_name": "fec ptp\n",
      "/sys/class/ptp/ptp0/device/power/runtime_status": status + "\n",
    ])
    return KindHarness(SystemClock(), machine: machine.with(clocks: ClockAccess(hardware: clocks)))
  }

  @Test func `13.9 a clock tells how far it is ahead of the system's`() throws {
    let clocks = PlayedClocks(ahead: 37_000_000_250)
    let kind = try kind(clocks)
    #expect(kind.names == ["ptp-fec ptp"])
    let found = try kind.read("ptp-fec ptp")
    #expect(found.payload("offset") == .double(37.00000025))
    #expect(found.text("label") == "fec ptp")
    for key in ["synchronized", "pulses", "server"] { #expect(found.status(key) == .unsupported) }
    #expect(clocks.opened.allSatisfy { $0 == "ptp0" })
  }

  @Test func `13.9 a clock of root's says which rule of udev opens it`() throws {
    let kind = try kind(PlayedClocks(refusal: EACCES))
    let availability = try #require(kind.instance("ptp-fec ptp")?.availability)
    #expect(availability.group == .available)
    #expect(availability.detail == "only its name: /dev/ptp0: Permission denied")
    let found = try kind.read("ptp-fec ptp")
    #expect(found.status("offset") == .permission && found.text("label") == "fec ptp")
    let remedy = try #require(found["offset"]?.absence?.remedy)
    #expect(remedy == availability.remedy)
    #expect(remedy.hasSuffix(#"SUBSYSTEM=="ptp", GROUP="gathered", MODE="0440""#))
  }

  @Test(arguments: [
    (ENOTTY, ValueStatus.failed), (ENODEV, .noData), (EOPNOTSUPP, .unsupported), (EIO, .failed),
  ])
  func `a clock that fails costs its own value`(code: Int32, status: ValueStatus) throws {
    let found = try kind(PlayedClocks(failure: code)).read("ptp-fec ptp")
    #expect(found.status("offset") == status && found.text("label") == "fec ptp")
  }

  @Test(arguments: ["suspended", "suspending", "resuming"])
  func `13.9 a device that sleeps is not woken`(status: String) throws {
    let clocks = PlayedClocks(failure: EIO)
    let found = try kind(clocks, status).read("ptp-fec ptp")
    #expect(found.reason("offset") == "asleep" && found.status("offset") == .noData)
    let awake = try kind(PlayedClocks(ahead: 1), "unsupported").read("ptp-fec ptp")
    #expect(awake.status("offset") == .ok)
  }

  @Test func `C3 a captured tree has names of clocks alone`() throws {
    let kind = KindHarness(SystemClock(), machine: try machine(named: "clock-board"))
    let found = try kind.read("ptp1")
    #expect(found.status("offset") == .unsupported && found.text("label") == "KVM virtual PTP")
  }
}
