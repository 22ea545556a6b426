import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import SourceKinds

/// `cell_radio` in a context on a real bus, with a ModemManager of dbusmock's made by hand.
@Suite(.enabled(if: PrivateBus.isInstalled)) struct MockedModemTests {
  private static let daemon = "org.freedesktop.ModemManager1"
  private static let root = "/org/freedesktop/ModemManager1"
  private static let signal = daemon + ".Modem.Signal"

  private let folder: TemporaryFolder
  private let bus: PrivateBus

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Array("MemTotal: 10 kB\n".utf8), to: "/proc/meminfo")
    bus = try PrivateBus()
  }

  private func open(_ allow: Allowance = .all) throws -> Context {
    // Of these addresses nothing but `=` and `,` has a meaning of its own.
    let address = bus.address.split(separator: "=", omittingEmptySubsequences: false)
      .joined(separator: "%3D")
    return try Context.open(
      "local:root=\(folder.path)&bus=\(address)", allow: allow, catalogue: [CellRadio()])
  }

  private func sample(_ source: Source, _ key: String) -> Sample {
    source.allValues[source.properties.firstIndex { $0.key == key } ?? 0]
  }

  /// A daemon with one modem, of this number, whose `Setup` runs a line of Python.
  private func start(
    _ number: Int, state: Int32 = 8, setup: String = Self.measuring
  ) throws -> ChildProcess {
    let child = try bus.mock(
      Self.daemon, Self.root, Self.daemon, isObjectManager: true)
    let path = Self.path(number)
    try bus.tell(
      Self.daemon, Self.root, "AddObject", .string(path), .string(Self.daemon + ".Modem"),
      Self.table([
        ("State", .int32(state)), ("AccessTechnologies", .uint32(1 << 14)),
        ("SignalQuality", .structure([.uint32(64), .bool(true)])),
        ("Manufacturer", .string("Mock")), ("Model", .string("Modem")),
        ("DeviceIdentifier", .string("0123456789abcdef")),
      ]), .array(of: "(ssss)", []))
    try add(
      path, "Modem.Modem3gpp",
      [
        ("OperatorName", .string("Test Net")), ("OperatorCode", .string("26202")),
        ("RegistrationState", .uint32(1)), ("Imei", .string("867698041234567")),
      ], ("GetNothing", "", "", ""))
    try add(
      path, "Modem.Location",
      [("Location", .dictionary(of: "uv", []))],
      (
        "GetLocation", "", "a{uv}",
        "ret = dbus.Dictionary({dbus.UInt32(1): '262,02,84CD,1A2B3C,2F1C'}, signature='uv')"
      ))
    try add(
      path, "Modem.Signal",
      [("Rate", .uint32(0)), ("Lte", .dictionary(of: "sv", []))], ("Setup", "u", "", setup))
    try tell(number, toDo: "added")
    return child
  }

  /// Has the daemon say that a modem was `added` or `removed`.
  private func tell(_ number: Int, toDo change: String) throws {
    let interface = Self.daemon + ".Test"
    let path = Self.path(number)
    try bus.tell(
      Self.daemon, path, "AddMethod", .string(interface), .string("Tell"), .string(""), .string(""),
      .string("self.object_manager_emit_\(change)('\(path)')"))
    try bus.tell(Self.daemon, path, "Tell", interface: interface)
  }

  private func add(
    _ path: String, _ interface: String, _ properties: [(String, BusValue)],
    _ method: (name: String, takes: String, gives: String, code: String)
  ) throws {
    let interface = "\(Self.daemon).\(interface)"
    try bus.tell(
      Self.daemon, path, "AddProperties", .string(interface), Self.table(properties))
    try bus.tell(
      Self.daemon, path, "AddMethod", .string(interface), .string(method.name),
      .string(method.takes), .string(method.gives), .string(method.code))
  }

  private static func path(_ number: Int) -> String { "\(root)/Modem/\(number)" }

  private static func table(_ properties: [(String, BusValue)]) -> BusValue {
    .dictionary(of: "sv", properties.map { BusPair(.string($0.0), .variant($0.1)) })
  }

  /// What the real one does: it takes the rate over, and measures.
  private static let measuring = """
    lte = {'rsrp': -95.5, 'rsrq': -1.7976931348623157e308} if args[0] else {}
    new = {'Rate': dbus.UInt32(args[0]), 'Lte': dbus.Dictionary(lte, signature='sv')}
    self.props['\(signal)'].update(new)
    self.EmitSignal(
        dbus.PROPERTIES_IFACE, 'PropertiesChanged', 'sa{sv}as', ['\(signal)', new, []])
    """

  private static let refusing =
    "raise dbus.exceptions.DBusException('PolicyKit authorization failed', "
    + "name='org.freedesktop.ModemManager1.Error.Core.Unauthorized')"

  private func rate(of number: Int) -> Int64? {
    let answer = try? bus.tell(
      Self.daemon, Self.path(number), "Get", .string(Self.signal), .string("Rate"),
      interface: "org.freedesktop.DBus.Properties")
    return answer?.first?.integer
  }

  private func setups(of number: Int) throws -> [Int64?] {
    let calls = try bus.tell(Self.daemon, Self.path(number), "GetMethodCalls", .string("Setup"))
    return calls.first?.elements?.map { call in
      guard case .structure(let parts) = call else { return nil }
      return parts.last?.elements?.first?.plain.integer
    } ?? []
  }

  @Test func `P5 L10 a signal is set up, again after the daemon was killed, and put back`() throws {
    let context = try open()
    #expect(try context.open("cell_radio").availability.state == .serviceNotRunning)
    let first = try start(0)
    try context.rescan()
    let source = try context.open("cell_radio")
    try source.updateValuesInPlace()
    #expect(try setups(of: 0).isEmpty)
    #expect(sample(source, "rsrp").status == .noData)
    try source.startUpdating(every: 600_000_000_000)
    #expect(Patience.wait { sample(source, "rsrp").payload == .double(-95.5) })
    #expect(sample(source, "rsrq").status == .noData)
    #expect(sample(source, "cell_id").payload == .string("1A2B3C"))
    #expect(sample(source, "mnc").payload == .string("02"))
    #expect(try setups(of: 0) == [600])
    let id = source.id
    first.end()
    #expect(Patience.wait { source.availability.group == .unavailable })
    #expect(Patience.wait { sample(source, "rsrp").status == .noData })
    let second = try start(1)
    #expect(Patience.wait { sample(source, "rsrp").payload == .double(-95.5) })
    #expect(source.id == id && source.isUpdating)
    #expect(rate(of: 1) == 600)
    try source.stopUpdating()
    #expect(Patience.wait { rate(of: 1) == 0 })
    #expect(try setups(of: 1) == [600, 0])
    try context.close()
    withExtendedLifetime(second) {}
  }

  @Test func `P5 closing a context puts back what it set up`() throws {
    let daemon = try start(0)
    let context = try open()
    let source = try context.open("cell_radio")
    try source.startUpdating(every: 2_000_000_000)
    #expect(Patience.wait { rate(of: 0) == 2 })
    try context.close()
    #expect(Patience.wait { rate(of: 0) == 0 })
    withExtendedLifetime((daemon, source)) {}
  }

  @Test func `P5 what polkit refuses costs the signal its values, and nothing else`() throws {
    let daemon = try start(0, setup: Self.refusing)
    let context = try open(.none)
    let source = try context.open("cell_radio")
    try source.startUpdating(every: 1_000_000_000)
    #expect(Patience.wait { sample(source, "rsrp").status == .permission })
    #expect(sample(source, "operator_name").payload == .string("Test Net"))
    #expect(sample(source, "signal_quality").payload == .double(64))
    #expect(sample(source, "imei").status == .permission)
    #expect(source.isUpdating)
    try context.close()
    withExtendedLifetime(daemon) {}
  }

  @Test func `H4 a modem that is locked, disabled or taken out says so`() throws {
    let daemon = try start(0, state: 2)
    let context = try open()
    let source = try context.open("cell_radio")
    #expect(source.availability.state == .requiresPermission)
    for (state, expected) in [(Int32(3), Availability.State.poweredOff), (7, .searching)] {
      try bus.tell(
        Self.daemon, Self.path(0), "UpdateProperties", .string(Self.daemon + ".Modem"),
        Self.table([("State", .int32(state))]))
      #expect(wait(for: expected, of: source, in: context))
    }
    try tell(0, toDo: "removed")
    try bus.tell(Self.daemon, Self.root, "RemoveObject", .string(Self.path(0)))
    #expect(wait(for: .disconnected, of: source, in: context))
    try context.close()
    withExtendedLifetime(daemon) {}
  }

  private func wait(
    for state: Availability.State, of source: Source, in context: Context
  ) -> Bool {
    Patience.wait { (try? context.rescan()) != nil && source.availability.state == state }
  }
}
