import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

@Suite struct DeviceMetadataTests {
  private let laptop: Machine

  init() throws { laptop = try machine(named: "laptop") }

  @Test func `every fact lands in its own property`() throws {
    let values = try KindHarness(DeviceMetadata(), machine: laptop).read("machine")
    let texts = [
      "os_id": "debian", "os_name": "Debian GNU/Linux", "os_version": "12",
      "os_pretty_name": "Debian \"12\" $x", "os_variant": "Work Station",
      "os_build": "20240101", "kernel_name": "Linux", "kernel_release": "6.1.0-18-amd64",
      "kernel_version": "#1 SMP Debian", "architecture": "x86_64", "vendor": "LENOVO",
      "model": "21CB", "model_version": "ThinkPad X1", "family": "X1 Family", "sku": "SKU-77",
      "board_vendor": "Board Co", "board_name": "21CBboard", "firmware_vendor": "BIOS Co",
      "firmware_version": "N3A", "firmware_date": "03/04/2022", "chassis": "laptop",
      "serial": "PF123", "hardware_uuid": "aaaa-bbbb", "hostname": "quokka",
      "pretty_hostname": "The Quokka", "boot_id": "7f2c1d9e-0000-4000-8000-0123456789ab",
      "cpu_model": "Intel(R) Core(TM) i7", "locale": "de_AT.UTF-8", "timezone": "Europe/Vienna",
      // systemd-id128 machine-id --app-specific= answers this for the fixture's machine id.
      "device_id": "4a1a33728abf468d92e26ee6e3f95d13",
    ]
    for (key, text) in texts { #expect(values.text(key) == text, "\(key)") }
    #expect(values.payload("boot_time") == .time(1_700_000_000_000_000_000))
    #expect(values.payload("uptime") == .double(1234.56))
    #expect(values.payload("logical_cpus") == .int(4))
    #expect(values.payload("physical_cores") == .int(2))
    #expect(values.payload("memory_total") == .int(16_000_007 * 1024))
  }

  @Test func `a devicetree speaks where there is no DMI`() throws {
    let values = try KindHarness(
      DeviceMetadata(), machine: try machine(named: "board")
    ).read("machine")
    #expect(values.text("os_id") == "linux")
    #expect(values.text("os_name") == "Raspbian")
    #expect(values.text("model") == "Raspberry Pi 4 Model B")
    #expect(values.text("vendor") == "raspberrypi")
    #expect(values.text("serial") == "10000000abc")
    #expect(values.text("cpu_model") == "BCM2835")
    #expect(values.payload("logical_cpus") == .int(2))
    #expect(values.status("firmware_date") == .unsupported)
    #expect(values.status("device_id") == .unsupported)
  }

  @Test(arguments: [
    ("model\t\t: 142\nmodel name\t: Intel(R) Core(TM) i7", "Intel(R) Core(TM) i7"),
    ("CPU Family\t\t: Loongson-64bit\nModel Name\t\t: Loongson-3A5000", "Loongson-3A5000"),
    ("Processor\t: ARMv6-compatible processor\nHardware\t: BCM2708", "ARMv6-compatible processor"),
    ("system type\t: MT7621\ncpu model\t: MIPS 1004Kc\nisa\t: mips1", "MIPS 1004Kc"),
    ("cpu\t\t: POWER9, altivec supported\nmodel\t\t: 9006-22P", "POWER9, altivec supported"),
    ("isa\t\t: rv64imafdc\nmmu\t: sv39\nuarch\t\t: sifive,u74-mc", "sifive,u74-mc"),
    ("hart\t\t: 0\nisa\t\t: rv64imac\nmmu\t\t: sv39", "rv64imac"),
    ("machine\t\t: RTS7751R2D\ncpu type\t: SH7751R", "SH7751R"),
    ("C-SKY CPU model : ck860", "ck860"), ("CPU:\t\t68040\nMMU:\t\t68040", "68040"),
    (
      "CPU implementer\t: 0x41\nCPU part\t: 0xd08\nModel\t\t: Raspberry Pi 4 Model B Rev 1.1",
      "Raspberry Pi 4 Model B Rev 1.1"
    ),
  ])
  func `every architecture's line is read for the processor's name`(
    text: String, name: String
  ) throws {
    let fixture = try FixtureMachine(["/proc/cpuinfo": "processor\t: 0\n\(text)\n"])
    let harness = KindHarness(DeviceMetadata(), machine: fixture.machine)
    #expect(try harness.read("machine").text("cpu_model") == name)
  }

  @Test func `placeholders of vendors are no data (V6)`() throws {
    let values = try KindHarness(
      DeviceMetadata(), machine: try machine(named: "server")
    ).read("machine")
    for key in ["vendor", "model", "sku", "chassis", "device_id"] {
      #expect(values.status(key) == .noData, "\(key)")
    }
  }

  @Test func `the machine id appears nowhere, raw included (P4)`() throws {
    let harness = KindHarness(DeviceMetadata(), machine: laptop)
    #expect(try harness.raw("machine", "device_id") == nil)
    #expect(try harness.raw("machine", "locale")?.bytes == Array("de_AT.UTF-8".utf8))
  }

  @Test func `serials and names are not even asked for without leave (P1)`() throws {
    let files = AlteredFiles(over: laptop.files)
    let harness = KindHarness(DeviceMetadata(), machine: laptop.with(files: files), allow: .none)
    _ = try harness.read("machine")
    for name in ["product_serial", "product_uuid", "hostname", "machine-info"] {
      #expect(!files.filesRead.contains { $0.hasSuffix("/\(name)") }, "\(name)")
    }
  }

  @Test func `A4 a serial number that hostnamed refused is asked for again`() throws {
    let file = "/sys/class/dmi/id/product_serial"
    let bus = FixtureBus()
    let fixture = try FixtureMachine([file: "PF123\n"], bus: bus)
    fixture.fail(file, with: 13)
    bus.run(
      HostDaemon.name, [HostDaemon.path: BusObject([HostDaemon.name: ["Chassis": .string("vm")]])])
    let refusal = BusFailure(.notAuthorized, message: "polkit refuses")
    bus.answer("GetHardwareSerial", with: .failure(refusal))
    let kind = DeviceMetadata()
    let instance = try #require(kind.discover(on: fixture.machine).instances.first)
    let reader = try #require(try kind.open(instance, on: fixture.machine))
    func serial() -> Outcome {
      var reading = Reading(properties: kind.properties.count)
      reader.read(ReadRequest(scope: .everything, allow: .all), into: &reading)
      return reading[DeviceMetadata.Field.serial]
    }
    let count = { bus.calls.count { $0.member == "GetHardwareSerial" } }
    #expect(serial().status == .permission && count() == 1)
    bus.answer("GetHardwareSerial", with: .success([.string("PF123")]))
    #expect(serial().status == .permission && count() == 1)
    for _ in 0..<2 {
      fixture.loop.advance(to: fixture.machine.clock.now.boot + 2_000_000_000)
      #expect(serial() == .ok(.string("PF123")))
    }
    // What was told is not asked for again.
    #expect(count() == 2)
  }

  @Test func `a hostile file costs its own value alone (M4, V5)`() throws {
    var files: [String: HostileFile] = [
      "os-release": HostileFile(
        derived: DeviceMetadata.table.map(\.key).filter { $0.hasPrefix("os_") }),
      "chassis_type": HostileFile(own: ["chassis"]),
      "machine-id": HostileFile(derived: ["device_id"]),
      "machine-info": HostileFile(derived: ["pretty_hostname"]),
      "stat": HostileFile(derived: ["boot_time"]), "uptime": HostileFile(own: ["uptime"]),
      "cpuinfo": HostileFile(derived: ["cpu_model"]),
      "online": HostileFile(derived: ["logical_cpus", "physical_cores"]),
      "core_cpus_list": HostileFile(derived: ["physical_cores"]),
      "meminfo": HostileFile(derived: ["memory_total"]),
    ]
    let own = [
      "sys_vendor": "vendor", "product_name": "model", "product_version": "model_version",
      "product_family": "family", "product_sku": "sku", "board_vendor": "board_vendor",
      "board_name": "board_name", "bios_vendor": "firmware_vendor",
      "bios_version": "firmware_version", "bios_date": "firmware_date",
      "product_serial": "serial", "product_uuid": "hardware_uuid", "ostype": "kernel_name",
      "osrelease": "kernel_release", "version": "kernel_version", "arch": "architecture",
      "hostname": "hostname", "boot_id": "boot_id",
    ]
    for (file, key) in own { files[file] = HostileFile(own: [key]) }
    try expectOnlyOwnValuesChange(
      DeviceMetadata(), on: laptop, instance: "machine", files: files, ignoring: ["environ"])
  }
}
