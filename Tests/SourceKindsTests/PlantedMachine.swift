import GatheredKitTesting
import Glibc
import Machine

/// A fixture machine with identities planted wherever kernel and daemons would show them, so that
/// they are recognised wherever they come out.
struct PlantedMachine {
  static let address = "66:77:88:99:aa:bb"
  static let serial = "SRL9Q7Z4X1"
  static let imei = "867698041234567"
  static let network = "PlantedNet42"
  static let host = "planted-host"
  static let user = "planted-user"
  static let uuid = "9d1c7b52-6e0f-4a55-8f5e-1b2c3d4e5f60"

  /// Every way in which an identity is written somewhere, in lower case.
  static let spellings: [String: [String]] = [
    "mac": [
      address, address.replacing(":", with: "-"), address.replacing(":", with: "_"),
      address.replacing(":", with: "o"), address.replacing(":", with: "%3a"),
      address.replacing(":", with: ""), address.replacing(":", with: " "),
      // Interfaces make addresses of the other protocol from it.
      "6477:88ff:fe99:aabb", "7788fffe99aabb",
    ],
    "serial": [serial.lowercased(), imei, uuid, uuid.replacing("-", with: "")],
    "ssid": [network.lowercased(), network.utf8.map { String($0, radix: 16) }.joined()],
    "hostname": [host], "activity": [user],
  ]

  let bus = FixtureBus()
  let fixture: FixtureMachine

  /// The machine of a folder in `Tests/Fixtures/machines`, and more.
  init(_ name: String, beside file: String = #filePath) throws {
    let radio = FixtureRadio([:])
    radio.fail(.opening, with: .missingLibrary(PlayedLink.missing))
    fixture = try FixtureMachine(["/dev/null": ""], nature: .live, bus: bus, radio: radio)
    try copy(Self.folder(beside: file) + name, to: "")
    try plantFiles()
    try plantSupplies()
    try plantInterfaces()
    plantDaemons()
  }

  static func names(beside file: String = #filePath) throws -> [String] {
    try RootedFileTree.live.entries(of: folder(beside: file)).sorted()
  }

  private static func folder(beside file: String) -> String {
    let parts = file.split(separator: "/")
    let end = parts.lastIndex(of: "SourceKindsTests") ?? parts.endIndex
    return "/" + parts[..<end].joined(separator: "/") + "/Fixtures/machines/"
  }

  /// Copies a folder, with an identity of ours in place of each it holds.
  private func copy(_ place: String, to path: String) throws {
    let files = RootedFileTree.live
    for name in try files.entries(of: place) {
      let (from, to) = ("\(place)/\(name)", "\(path)/\(name)")
      if let target = try? files.linkTarget(of: from) {
        try fixture.link(to, to: target)
      } else if (try? files.entries(of: from)) != nil {
        try fixture.makeFolder(to)
        try copy(from, to: to)
      } else if let bytes = try? PolledFile(from, in: files).read() {
        try fixture.write(
          bytes: Self.identity(in: name, at: to).map { Array($0.utf8) } ?? Array(bytes), to: to)
      }
    }
  }

  /// What a file says that tells an identity; nil for one that tells none.
  private static func identity(in name: String, at path: String) -> String? {
    switch name {
    case "address" where path.contains("/net/"): "\(address)\n"
    case "serial_number", "serial-number", "product_serial", "board_serial", "chassis_serial":
      "\(serial)\n"
    case "serial" where path.contains("/nvme/") || path.contains("/mmc_host/"): "\(serial)\n"
    case "product_uuid": "\(uuid)\n"
    case "hostname": "\(host)\n"
    default: nil
    }
  }

  private func plantFiles() throws {
    for file in ["product_serial", "board_serial"] {
      try fixture.write("\(Self.serial)\n", to: "/sys/class/dmi/id/\(file)")
    }
    try fixture.write("\(Self.uuid)\n", to: "/sys/class/dmi/id/product_uuid")
    for file in ["/etc/hostname", "/proc/sys/kernel/hostname"] {
      try fixture.write("\(Self.host)\n", to: file)
    }
    for (file, text) in ["model": "Planted", "serial": Self.serial] {
      try fixture.write("\(text)\n", to: "/sys/block/nvme7n1/device/\(file)")
    }
    try fixture.write("PRETTY_HOSTNAME=\"\(Self.host)\"\n", to: "/etc/machine-info")
  }

  /// Peripherals as drivers name their batteries: whole, half broken, and with nothing to say.
  private func plantSupplies() throws {
    let root = "/sys/class/power_supply"
    for (name, files) in Self.supplies {
      for (file, text) in ["type": "Battery", "scope": "Device", "present": "1"].merging(
        files, uniquingKeysWith: { $1 })
      {
        try fixture.write("\(text)\n", to: "\(root)/\(name)/\(file)")
      }
    }
    for file in ["capacity", "status", "voltage_now"] {
      fixture.fail("\(root)/sony_controller_battery_\(Self.address)/\(file)", with: EIO)
    }
    fixture.fail("\(root)/hid-\(Self.address)-battery/status", with: EACCES)
  }

  static let supplies: [String: [String: String]] = [
    "hid-\(address)-battery": ["capacity": "55", "status": "Discharging"],
    "hid-\(address.uppercased())-battery-2": ["capacity": "high", "serial_number": address],
    "sony_controller_battery_\(address)": [
      "capacity": "40", "status": "Full", "voltage_now": "4", "model_name": "Pad",
      "serial_number": address.replacing(":", with: "-"),
    ],
  ]

  /// Interfaces that udev names by their addresses.
  private func plantInterfaces() throws {
    let digits = Self.address.replacing(":", with: "")
    for (name, files) in [
      "enx\(digits)": ["operstate": "up", "type": "1"], "wlx\(digits)": ["operstate": "odd"],
    ] {
      let root = "/sys/class/net/\(name)"
      for (file, text) in files { try fixture.write("\(text)\n", to: "\(root)/\(file)") }
      try fixture.write("\(Self.address)\n", to: "\(root)/address")
      try fixture.write("4\n", to: "\(root)/name_assign_type")
      fixture.fail("\(root)/mtu", with: EIO)
    }
    try fixture.makeFolder("/sys/class/net/wlx\(digits)/wireless")
    try fixture.write("7\n", to: "/sys/class/net/wlx\(digits)/ifindex")
    for (file, text) in ["ifindex": "3", "name_assign_type": "4", "address": Self.address] {
      try fixture.write("\(text)\n", to: "/sys/class/net/wlan0/\(file)")
    }
    try fixture.makeFolder("/sys/class/net/wlan0/wireless")
  }

  private func plantDaemons() {
    let name = "dev_" + Self.address.uppercased().replacing(":", with: "_")
    BluetoothTests.play(
      bus,
      devices: [
        name: [
          "Address": .string(Self.address.uppercased()), "AddressType": .string("public"),
          "Alias": .string(Self.host), "Connected": .bool(true), "Paired": .bool(true),
          "Icon": .string("input-mouse"),
        ]
      ])
    bus.set(
      "org.bluez", "/org/bluez/hci0", BluetoothTests.adapter,
      [
        "Address": .string(Self.address), "Alias": .string(Self.host),
      ])
    bus.run("org.freedesktop.UPower", powerDevices(bluez: name))
    bus.run(
      PlayedLogin.name,
      PlayedLogin.objects(seats: ["seat0": "2"], sessions: ["2": ["Name": .string(Self.user)]]))
    plantDrive()
    var modem = PlayedModem.interfaces
    modem[PlayedModem.modem]?["EquipmentIdentifier"] = .string(Self.imei)
    bus.run(PlayedModem.daemon, [PlayedModem.path: .init(modem)])
    bus.run(PlayedLink.manager, PlayedLink.connection)
    bus.set(
      PlayedLink.manager, PlayedLink.wlan, "\(PlayedLink.manager).Device.Wireless",
      [
        "HwAddress": .string(Self.address)
      ])
    bus.set(
      PlayedLink.manager, PlayedLink.point, "\(PlayedLink.manager).AccessPoint",
      [
        "Ssid": .bytes(Array(Self.network.utf8)), "HwAddress": .string(Self.address),
      ])
  }

  /// A drive whose object is named by its serial number.
  private func plantDrive() {
    let drive = "\(PlayedDisks.root)/drives/Planted_\(Self.serial)"
    let block = PlayedDisks.block("sdp", drive)
    let facts = PlayedDisks.drive("Planted", "1", Self.serial)
    bus.run(
      PlayedDisks.name,
      [
        drive: BusObject(["\(PlayedDisks.name).Drive": facts]),
        block.path: BusObject(block.interfaces),
      ])
  }

  /// Batteries as UPower names them, one of which the kernel does not know.
  private func powerDevices(bluez name: String) -> [String: BusObject] {
    let root = "/org/freedesktop/UPower/devices"
    let digits = Self.address.replacing(":", with: "o")
    let interface = "org.freedesktop.UPower.Device"
    let battery: [String: BusValue] = [
      "Type": .uint32(5), "PowerSupply": .bool(false), "IsPresent": .bool(true),
      "Percentage": .double(70), "State": .uint32(2),
    ]
    return [
      "\(root)/battery_hid_\(digits)_battery": BusObject([
        interface: battery.merging(
          ["NativePath": .string("hid-\(Self.address)-battery")], uniquingKeysWith: { $1 })
      ]),
      "\(root)/mouse_\(name)": BusObject([
        interface: battery.merging(
          [
            "NativePath": .string("/org/bluez/hci0/\(name)"),
            "Serial": .string(Self.address.uppercased()),
          ], uniquingKeysWith: { $1 })
      ]),
      "\(root)/battery_ups": BusObject([
        interface: battery.merging(
          ["NativePath": .string("ups9"), "Serial": .string(Self.serial)],
          uniquingKeysWith: { $1 })
      ]),
    ]
  }
}
