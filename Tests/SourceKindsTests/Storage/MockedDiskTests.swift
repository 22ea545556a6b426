import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import SourceKinds

/// `disk` in a context on a real bus, with a udisks of dbusmock's made by hand.
@Suite(.enabled(if: PrivateBus.isInstalled)) struct MockedDiskTests {
  private let bus: PrivateBus
  private let tree: TemporaryFolder

  init() throws {
    bus = try PrivateBus()
    tree = try TemporaryFolder()
    try tree.makeFolder("/sys/block")
  }

  private func open(on bus: PrivateBus? = nil) throws -> Context {
    // Of these addresses nothing but `=` has a meaning of its own.
    let address = (bus ?? self.bus).address.split(separator: "=").joined(separator: "%3D")
    return try Context.open(
      "local:root=\(tree.path)&bus=\(address)", allow: .all, catalogue: [Disk()])
  }

  private func sample(_ source: Source, _ field: Disk.Field) -> Sample {
    source.allValues[field.rawValue]
  }

  private static func table(_ properties: [String: BusValue]) -> BusValue {
    .dictionary(of: "sv", properties.map { BusPair(.string($0.key), .variant($0.value)) })
  }

  /// A udisks of a release, whose drives were read some seconds ago.
  private func start(_ version: String, secondsAgo: Int64 = 60) throws -> ChildProcess {
    let child = try bus.mock(
      PlayedDisks.name, PlayedDisks.root, "\(PlayedDisks.name).Root", isObjectManager: true)
    var objects = PlayedDisks.objects(version: version)
    let read = LiveTime().now.realtime / 1_000_000_000 - secondsAgo
    for (path, interface) in [
      (PlayedDisks.hard, "Drive.Ata"), (PlayedDisks.fast, "NVMe.Controller"),
    ] where objects[path]?["\(PlayedDisks.name).\(interface)"] != nil {
      objects[path]?["\(PlayedDisks.name).\(interface)"]?["SmartUpdated"] = .uint64(UInt64(read))
    }
    for (path, interfaces) in objects { try plug(path, interfaces) }
    return child
  }

  private func add(_ path: String, _ interfaces: PlayedDisks.Interfaces) throws {
    var names = interfaces.keys.sorted()
    let first = names.removeFirst()
    try bus.tell(
      PlayedDisks.name, PlayedDisks.root, "AddObject", .string(path), .string(first),
      Self.table(interfaces[first] ?? [:]), .array(of: "(ssss)", []))
    for name in names {
      try bus.tell(
        PlayedDisks.name, path, "AddProperties", .string(name),
        Self.table(interfaces[name] ?? [:]))
    }
    guard interfaces["\(PlayedDisks.name).NVMe.Controller"] != nil else { return }
    for (method, code) in [("SmartGetAttributes", Self.answer), ("SmartUpdate", "")] {
      try bus.tell(
        PlayedDisks.name, path, "AddMethod", .string("\(PlayedDisks.name).NVMe.Controller"),
        .string(method), .string("a{sv}"), .string(code.isEmpty ? "" : "a{sv}"), .string(code))
    }
  }

  private static let answer = """
    ret = {'percent_used': dbus.Byte(120), 'avail_spare': dbus.Byte(97),
           'media_errors': dbus.UInt64(2), 'power_cycles': dbus.UInt64(30),
           'unsafe_shutdowns': dbus.UInt64(5), 'total_data_read': dbus.UInt64(1000000)}
    """

  private func update(_ drive: String, _ interface: String, _ properties: [String: BusValue]) throws
  {
    try bus.tell(
      PlayedDisks.name, drive, "UpdateProperties", .string("\(PlayedDisks.name).\(interface)"),
      Self.table(properties))
  }

  private func emit(_ signal: String, _ signature: String, _ arguments: BusValue...) throws {
    try bus.tell(
      PlayedDisks.name, PlayedDisks.root, "EmitSignal",
      .string("org.freedesktop.DBus.ObjectManager"), .string(signal), .string(signature),
      .array(of: "v", arguments.map { .variant($0) }))
  }

  /// An object appears, and is announced.
  private func plug(_ path: String, _ interfaces: PlayedDisks.Interfaces) throws {
    try add(path, interfaces)
    let pairs = interfaces.map { BusPair(.string($0.key), Self.table($0.value)) }
    try emit("InterfacesAdded", "oa{sa{sv}}", .path(path), .dictionary(of: "sa{sv}", pairs))
  }

  private func unplug(_ path: String, _ interface: String) throws {
    try bus.tell(PlayedDisks.name, PlayedDisks.root, "RemoveObject", .string(path))
    let gone = BusValue.array(of: "s", [.string("\(PlayedDisks.name).\(interface)")])
    try emit("InterfacesRemoved", "oas", .path(path), gone)
  }

  private func calls(of method: String, on path: String) throws -> Int {
    let answer = try bus.tell(PlayedDisks.name, path, "GetMethodCalls", .string(method))
    return answer.first?.elements?.count ?? 0
  }

  @Test func `13.10 with udisks 2.10 both drives tell, and its copy alone is read`() throws {
    let udisks = try start("2.10.1")
    let context = try open()
    try context.rescan()
    #expect(
      try context.sources().map(\.id.instance) == [
        "aggregate", PlayedDisks.fastName, PlayedDisks.hardName,
        PlayedDisks.id("Flash Disk", "0815"),
      ])
    let fast = try context.open("disk|nvme0n1")
    _ = try fast.updateValues()
    #expect(sample(fast, .wear).payload == .double(1.2))
    #expect(sample(fast, .spare).payload == .double(0.97))
    #expect(sample(fast, .mediaErrors).payload == .int(2))
    #expect(sample(fast, .readTotal).payload == .int(1_000_000))
    // A drive that has written nothing yet tells no total.
    #expect(sample(fast, .writtenTotal).status == .noData)
    #expect(sample(fast, .temperature).payload == .double(36.85))
    #expect(sample(fast, .failing).payload == .bool(false))
    let hard = try context.open("disk|sda")
    _ = try hard.updateValues()
    #expect(sample(hard, .temperature).payload == .double(33))
    #expect(sample(hard, .badSectors).payload == .int(8))
    #expect(sample(hard, .serial).payload == .string(PlayedDisks.hardSerial))
    let all = try context.open("disk")
    _ = try all.updateValues()
    #expect(sample(all, .wear).payload == .double(1.2))
    #expect(sample(all, .badSectors).payload == .int(8))
    try context.close()
    #expect(try calls(of: "SmartGetAttributes", on: PlayedDisks.fast) >= 1)
    #expect(try calls(of: "SmartUpdate", on: PlayedDisks.fast) == 0)
    withExtendedLifetime(udisks) {}
  }

  @Test func `13.10 with udisks 2.9 an NVMe drive tells what it is, and an old value is stale`()
    throws
  {
    let udisks = try start("2.9.4", secondsAgo: 8000)
    let context = try open()
    try context.rescan()
    let fast = try context.open("disk|nvme0n1")
    _ = try fast.updateValues()
    #expect(sample(fast, .wear).status == .unsupported)
    #expect(sample(fast, .model).payload == .string("Samsung SSD 980 PRO 1TB"))
    let hard = try context.open("disk|sda")
    _ = try hard.updateValues()
    #expect(sample(hard, .temperature).status == .stale)
    #expect(sample(hard, .temperature).value == .double(33))
    #expect(sample(hard, .powerOnTime).payload == .double(36_000))
    try context.close()
    withExtendedLifetime(udisks) {}
  }

  @Test func `H4 what udisks reads is an event; drives come and go, and so does it`() throws {
    let udisks = try start("2.10.1")
    let context = try open()
    try context.rescan()
    let hard = try context.open("disk|sda")
    try hard.startUpdating(every: 600_000_000_000)
    #expect(Patience.wait { sample(hard, .failing).payload == .bool(false) })
    try update(
      PlayedDisks.hard, "Drive.Ata",
      ["SmartFailing": .bool(true), "SmartTemperature": .double(320.15)])
    #expect(Patience.wait { sample(hard, .failing).payload == .bool(true) })
    #expect(sample(hard, .temperature).payload == .double(47))
    let ids = { try context.sources().map(\.id.description) }
    #expect(try ids().count == 4)
    let path = "\(PlayedDisks.root)/drives/New_1"
    try plug(path, ["\(PlayedDisks.name).Drive": PlayedDisks.drive("New", "1", "4711")])
    let block = PlayedDisks.block("sdn", path)
    try plug(block.path, block.interfaces)
    #expect(Patience.wait { (try? ids().count) == 5 })
    try unplug(block.path, "Block")
    try unplug(path, "Drive")
    #expect(Patience.wait { (try? ids().count) == 4 })
    udisks.end()
    #expect(Patience.wait { hard.availability.group == .unavailable })
    #expect(hard.isUpdating)
    #expect(Patience.wait { sample(hard, .failing).status == .noData })
    let again = try start("2.10.1")
    #expect(Patience.wait { sample(hard, .failing).payload == .bool(false) })
    try context.close()
    withExtendedLifetime(again) {}
  }

  @Test func `A2 looking for drives starts no udisks`() throws {
    let lazy = try PrivateBus(activatable: [PlayedDisks.name])
    let context = try open(on: lazy)
    #expect(try context.sources().isEmpty)
    #expect(try context.open("disk").availability.state == .noHardware)
    try context.close()
    #expect(!lazy.hasActivated)
  }
}
