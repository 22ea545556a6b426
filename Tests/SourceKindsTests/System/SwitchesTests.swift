import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct SwitchesTests {
  private let laptop: Machine

  init() throws { laptop = try machine(named: "laptop") }

  @Test func `devices with switches are named by name and place`() {
    let found = KindHarness(Switches(), machine: laptop).discover().instances
    #expect(
      found.map(\.name) == [
        "aggregate", "Lid Switch.PNP0C0D:00", "HDA Intel PCH Headset.pci-0000:00:1f.3",
        "Convertible keys",
      ])
    #expect(found.last?.aliases == ["event12"])
  }

  @Test func `each switch has its own bit`() throws {
    let harness = KindHarness(Switches(), machine: laptop)
    let lid = try harness.read("event0")
    #expect(lid.payload("lid_closed") == .bool(true))
    #expect(lid.status("tablet_mode") == .unsupported)
    let jack = try harness.read("event4")
    #expect(jack.payload("headphone_inserted") == .bool(true))
    #expect(jack.payload("microphone_inserted") == .bool(false))
    let keys = try harness.read("event12")
    #expect(keys.payload("lid_closed") == .bool(false))
    #expect(keys.payload("tablet_mode") == .bool(true))
    #expect(keys.payload("docked") == .bool(false))
    #expect(keys.payload("camera_covered") == .bool(true))
    #expect(keys.payload("muted") == .bool(true))
  }

  @Test func `a switch is on if any device that has it says on`() throws {
    let values = try KindHarness(Switches(), machine: laptop).read("aggregate")
    #expect(values.payload("lid_closed") == .bool(true))
    #expect(values.payload("microphone_inserted") == .bool(false))
    #expect(values.payload("docked") == .bool(false))
  }

  private struct ClosedSwitches: SwitchReader {
    func switchesOn(of eventDevice: String) throws(SystemError) -> UInt64 {
      throw SystemError(13, at: "/dev/input/\(eventDevice)")
    }
  }

  @Test func `a closed device names the group that opens it (A1)`() throws {
    let closed = Machine(
      nature: .live, files: laptop.files, notices: nil, clock: laptop.clock,
      switches: ClosedSwitches(), addresses: nil)
    let found = KindHarness(Switches(), machine: closed).instance("Lid Switch.PNP0C0D:00")
    let lid = try #require(found)
    #expect(lid.availability.state == .permissionDenied)
    #expect(lid.availability.errno == 13)
    #expect(lid.availability.remedy == "add yourself to group input")
    var reading = Reading(properties: Switches.table.count)
    let all = ReadRequest(scope: .everything, allow: .all)
    SwitchesReader(lid, on: closed).read(all, into: &reading)
    #expect(reading[Switches.Field.lidClosed].status == .permission)
    #expect(reading[Switches.Field.lidClosed].absence?.remedy == "add yourself to group input")
    #expect(reading[Switches.Field.muted].status == .unsupported)
  }
}
