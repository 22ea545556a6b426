import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// Serial numbers in the names of serial ports (sources N8, P4).
@Suite struct PortNameTests {
  private static let serial = "SRL9Q7Z4X1"
  private static let link = "usb-Maker_Receiver_SRL9Q7Z4X1-if00"
  private static let folder = "/dev/serial/by-id"
  private static let device = "/sys/devices/pci0000:00/usb1/1-8"
  private static let machineID = "0123456789abcdef0123456789abcdef\n"

  private static var digest: String {
    MachineIdentity(parsing: machineID.utf8).digest(of: serial)
  }

  /// Connects a receiver with a serial number, or with none, as `/dev/ttyS0`.
  private func connect(
    _ fixture: FixtureMachine, as link: String = Self.link, serial: String? = Self.serial
  ) throws {
    try fixture.write(Self.machineID, to: "/etc/machine-id")
    try fixture.write("", to: "/dev/ttyS0")
    try fixture.link("\(Self.folder)/\(link)", to: "../../ttyS0")
    try fixture.write("1546\n", to: "\(Self.device)/idVendor")
    // That of the hub is another matter.
    try fixture.write("1d6b\n", to: "/sys/devices/pci0000:00/usb1/idVendor")
    try fixture.write("0000:00:14.0\n", to: "/sys/devices/pci0000:00/usb1/serial")
    if let serial { try fixture.write("\(serial)\n", to: "\(Self.device)/serial") }
    try fixture.makeFolder("\(Self.device)/1-8:1.0/tty/ttyS0")
    try fixture.link(
      "/sys/class/tty/ttyS0", to: "../../devices/pci0000:00/usb1/1-8/1-8:1.0/tty/ttyS0")
    try fixture.link("\(Self.device)/1-8:1.0/tty/ttyS0/device", to: "../../../1-8:1.0")
  }

  private func told(_ context: Context) throws -> [String] {
    try Revelations(of: context).lines(with: [Self.serial.lowercased()])
  }

  @Test(arguments: ["/dev/ttyS0", "\(Self.folder)/\(Self.link)"])
  func `N8 P4 an id has the digest of the number, however gpsd was told of the port`(
    device: String
  ) throws {
    let desk = try ReceiverDesk(devices: [device], allow: Allowance(categories: [.location]))
    try connect(desk.fixture)
    let all = try desk.open("gps")
    try all.startUpdating()
    try desk.deliver()
    desk.link.say(.fix(second: 1, device: device))
    desk.settle()
    let id = "gps|usb-Maker_Receiver_\(Self.digest)-if00"
    #expect(try desk.context.sources(of: "gps").map(\.id.description) == ["gps|aggregate", id])
    let single = try desk.open("gps|%2Fdev%2FttyS0")
    #expect(single.id.description == id)
    try single.startUpdating()
    try desk.deliver()
    let shown = device.replacing(Self.serial, with: Self.digest)
    for source in [all, single] {
      #expect(desk.values(of: source)["latitude"]?.value == .double(48.1173))
      #expect(desk.values(of: source)["device"]?.value == .string(shown))
    }
    #expect(try told(desk.context) == [])
    try desk.context.close()
  }

  @Test func `P1 where serial numbers are allowed the device is told, and the id stays`() throws {
    let device = "\(Self.folder)/\(Self.link)"
    let desk = try ReceiverDesk(
      devices: [device, "/dev/ttyS1"], allow: Allowance(categories: [.location, .serial]))
    try connect(desk.fixture)
    let source = try desk.open("gps")
    try source.startUpdating()
    try desk.deliver()
    for second in 1...2 {
      desk.link.say(.fix(second: second, device: device))
      desk.settle()
      #expect(desk.values(of: source)["device"]?.value == .string(device))
    }
    #expect(
      try desk.context.sources(of: "gps").map(\.id.instance).contains(
        "usb-Maker_Receiver_\(Self.digest)-if00"))
    try desk.context.close()
  }

  @Test func `a device without a number keeps its name, and one nothing tells of its words`() throws
  {
    let bare = try FixtureMachine()
    try connect(bare, as: "usb-u-blox_7_GPS_2-if00", serial: nil)
    #expect(PortNames(in: bare.machine.files).names == ["/dev/ttyS0": "usb-u-blox_7_GPS_2-if00"])
    let spaced = try FixtureMachine()
    try connect(spaced, as: "usb-Maker_GPS_a_b_1-if00-port0", serial: "a b/1")
    let digest = MachineIdentity(parsing: Self.machineID.utf8).digest(of: "a b/1")
    #expect(
      PortNames(in: spaced.machine.files).names
        == ["/dev/ttyS0": "usb-Maker_GPS_\(digest)-if00-port0"])
    let elsewhere = PortNames(in: spaced.machine.files, isHere: false)
    #expect(elsewhere.names.isEmpty)
    let name = MachineIdentity(parsing: Self.machineID.utf8).digest(of: Self.serial)
    #expect(
      elsewhere.shown("\(Self.folder)/\(Self.link)")
        == "\(Self.folder)/usb-Maker_Receiver_\(name)-if00")
    #expect(
      elsewhere.shown("\(Self.folder)/usb-Maker_Receiver-if00")
        == "\(Self.folder)/usb-Maker_Receiver-if00")
    #expect(elsewhere.shown("/dev/ttyACM7") == "/dev/ttyACM7")
  }
}
