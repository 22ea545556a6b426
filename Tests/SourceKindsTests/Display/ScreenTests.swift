import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct ScreenTests {
  private let laptop: Machine
  private let server: Machine

  init() throws {
    laptop = try machine(named: "laptop")
    server = try machine(named: "server")
  }

  // The numbers below are those edid-decode prints for the fixtures' EDIDs.

  @Test func `every fact of a built-in panel lands in its own property`() throws {
    let values = try KindHarness(Screen(), machine: laptop).read("eDP-1")
    #expect(values.payload("brightness") == .double(0.7))
    #expect(values.payload("brightness_raw") == .int(7))
    #expect(values.payload("brightness_max") == .int(10))
    #expect(values.payload("power") == .bool(true))
    #expect(values.payload("width") == .int(1920))
    #expect(values.payload("height") == .int(1080))
    #expect(abs((values.double("refresh_rate") ?? 0) - 60.020425) < 1e-6)
    #expect(values.payload("physical_width") == .double(0.309))
    #expect(values.payload("physical_height") == .double(0.174))
    #expect(values.text("modes") == "1920x1080 1280x720")
    #expect(values.text("connector") == "eDP-1")
    #expect(values.payload("built_in") == .bool(true))
    #expect(values.payload("enabled") == .bool(true))
    #expect(values.text("manufacturer") == "LGD")
    #expect(values.payload("product_code") == .int(1522))
    #expect(values.status("model") == .noData)
    #expect(values.payload("year") == .int(2017))
    #expect(values.status("serial") == .noData)
    #expect(values.text("backlight_type") == "firmware")
  }

  @Test func `a monitor keeps its name on another socket, without its serial (N6, P4)`() throws {
    let found = KindHarness(Screen(), machine: laptop).discover().instances
    #expect(found.count == 2)
    #expect(found.first?.name == "eDP-1")
    let monitor = try #require(found.last)
    let edid = try PolledFile("/sys/class/drm/card0-DP-2/edid", in: laptop.files).read()
    let identity = MachineIdentity(parsing: "0123456789abcdef0123456789abcdef".utf8)
    #expect(monitor.name == "DEL.A0C3.\(identity.digest(of: edid))")
    #expect(monitor.aliases.first == "DP-2")
    #expect(monitor.label == "DELL U2720Q")
    let values = try KindHarness(Screen(), machine: laptop).read("DP-2")
    #expect(values.text("serial") == "7JNY5S3")
    #expect(values.text("model") == "DELL U2720Q")
    #expect(values.payload("product_code") == .int(41155))
    #expect(values.payload("power") == .bool(false))
    #expect(values.status("brightness") == .unsupported)
    #expect(abs((values.double("refresh_rate") ?? 0) - 59.996625) < 1e-6)
  }

  @Test func `raw bytes are the property's own, not the whole EDID (V3, P4)`() throws {
    let harness = KindHarness(Screen(), machine: laptop)
    let model = try #require(try harness.raw("DP-2", "model"))
    #expect(model.bytes.lenientText == "DELL U2720Q\n ")
    #expect(model.place == "/sys/class/drm/card0-DP-2/edid")
  }

  @Test func `a bad EDID costs its values, and the connector names the screen`() throws {
    let harness = KindHarness(Screen(), machine: server)
    let values = try harness.read("DP-1")
    #expect(values.payload("width") == .int(1600))
    #expect(values.payload("height") == .int(1200))
    for key in ["manufacturer", "model", "year", "serial", "refresh_rate", "physical_width"] {
      #expect(values.status(key) == .failed, "\(key)")
    }
    let old = try harness.read("VGA-1")
    #expect(old.status("manufacturer") == .noData)
    #expect(old.payload("height") == .int(768))
  }

  @Test func `equal screens are told apart and a lone backlight is an instance (N7)`() throws {
    let names = KindHarness(Screen(), machine: server).names
    #expect(names.count == 5)
    #expect(names.first == "DP-1")
    #expect(names.last == "lonely")
    #expect(names.filter { $0.hasPrefix("SAM.0F9C.") }.count == 2)
    #expect(names.contains { $0.hasSuffix("~2") })
    let light = try KindHarness(Screen(), machine: server).read("lonely")
    #expect(light.payload("brightness") == .double(0.25))
    #expect(light.payload("power") == .bool(false))
    #expect(light.status("connector") == .unsupported)
    let television = try KindHarness(Screen(), machine: server).read("HDMI-A-1")
    #expect(television.payload("height") == .int(1080))
    // 1080i: edid-decode counts fields, too.
    #expect(abs((television.double("refresh_rate") ?? 0) - 60) < 1e-6)
    #expect(television.status("physical_width") == .noData)
    #expect(television.text("serial") == "16780800")
  }

  @Test func `no EDID traps, whatever its bytes (E2)`() throws {
    let good = Array(try PolledFile("/sys/class/drm/card0-DP-2/edid", in: laptop.files).read())
    for index in 8..<127 {
      for byte in [UInt8(0), 1, 0x7F, 0xFC, 0xFF] {
        var bytes = good
        bytes[index] = byte
        bytes[127] = 0
        bytes[127] = 0 &- bytes.reduce(0, &+)
        let edid = try EDID(bytes)
        _ = (edid.manufacturer, edid.preferred, edid.year, edid.serialNumber)
        _ = (edid.text(ofDescriptor: 0xFC), edid.text(ofDescriptor: 0xFF))
      }
    }
    #expect(throws: EDID.Failure.length(127)) { try EDID(good.dropLast()) }
    #expect(throws: EDID.Failure.checksum) { try EDID(good + good.map { $0 | 1 }) }
    #expect(throws: EDID.Failure.header) { try EDID([UInt8](repeating: 0, count: 128)) }
  }

  @Test func `a hostile file costs its own value alone (M4, V5)`() throws {
    let edid = [
      "width", "height", "refresh_rate", "physical_width", "physical_height", "manufacturer",
      "product_code", "model", "year", "serial",
    ]
    let files: [String: HostileFile] = [
      "modes": HostileFile(own: ["modes"]), "enabled": HostileFile(own: ["enabled"]),
      "dpms": HostileFile(derived: ["power"]), "bl_power": HostileFile(derived: ["power"]),
      "max_brightness": HostileFile(own: ["brightness_max"], derived: ["brightness"]),
      "actual_brightness": HostileFile(derived: ["brightness_raw", "brightness"]),
      "brightness": HostileFile(),
      "type": HostileFile(
        derived: ["backlight_type", "brightness", "brightness_raw", "brightness_max"]),
    ]
    let all = files.merging(["status": HostileFile(decidesInstance: true)]) { one, _ in one }
    try expectOnlyOwnValuesChange(
      Screen(), on: laptop, instance: "eDP-1", files: all, ignoring: ["edid", "machine-id"])
    #expect(edid.count == 10)
  }
}
