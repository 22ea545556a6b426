import GatheredKitTesting
import Machine

/// A GeoClue of dbusmock's, made by hand.
struct MockedGeoClue {
  static let name = "org.freedesktop.GeoClue2"
  static let managerPath = "/org/freedesktop/GeoClue2/Manager"
  static let clientPath = "/org/freedesktop/GeoClue2/Client/1"
  /// What a client does that may not be started.
  static let refusal =
    "raise dbus.exceptions.DBusException('no agent', "
    + "name='org.freedesktop.DBus.Error.AccessDenied')"

  /// What a client does that fails the first time it is started.
  static let failure =
    "self.starts = getattr(self, 'starts', 0) + 1\nif self.starts == 1: raise "
    + "dbus.exceptions.DBusException('no source', name='org.freedesktop.DBus.Error.Failed')"

  let bus: PrivateBus
  let process: ChildProcess

  /// A daemon whose manager has one method that names the client, and whose client is started; both
  /// by lines of Python.
  init(
    on bus: PrivateBus, giving method: String = "GetClient",
    client: String = "ret = '\(Self.clientPath)'", start: String = ""
  ) throws {
    self.bus = bus
    process = try bus.mock(Self.name, Self.managerPath, Self.name + ".Manager")
    try bus.tell(
      Self.name, Self.managerPath, "AddProperties", .string(Self.name + ".Manager"),
      Self.table([("InUse", .bool(false)), ("AvailableAccuracyLevel", .uint32(8))]))
    try addMethod(Self.managerPath, "Manager", method, "", "o", client)
    try addMethod(Self.managerPath, "Manager", "DeleteClient", "o", "", "")
    try bus.tell(
      Self.name, Self.managerPath, "AddObject", .string(Self.clientPath),
      .string(Self.name + ".Client"),
      Self.table([
        ("Location", .path("/")), ("DesktopId", .string("")),
        ("RequestedAccuracyLevel", .uint32(0)), ("Active", .bool(false)),
      ]), .array(of: "(ssss)", []))
    try addMethod(Self.clientPath, "Client", "Start", "", "", start)
    try addMethod(Self.clientPath, "Client", "Stop", "", "", "")
  }

  /// Sets what starting its client does.
  func set(start: String) throws {
    try addMethod(Self.clientPath, "Client", "Start", "", "", start)
  }

  private func addMethod(
    _ path: String, _ interface: String, _ name: String, _ takes: String, _ gives: String,
    _ code: String
  ) throws {
    try bus.tell(
      Self.name, path, "AddMethod", .string("\(Self.name).\(interface)"), .string(name),
      .string(takes), .string(gives), .string(code))
  }

  static func table(_ properties: [(String, BusValue)]) -> BusValue {
    .dictionary(of: "sv", properties.map { BusPair(.string($0.0), .variant($0.1)) })
  }

  /// How a client's new location becomes known.
  enum Way {
    /// The property changes, as properties do.
    case property
    /// By the client's own signal alone.
    case signal
    /// Without a signal.
    case quiet
  }

  /// A new location of a number.
  func locate(
    _ number: Int, _ properties: [(String, BusValue)], by way: Way = .property
  ) throws {
    let path = "\(Self.clientPath)/Location/\(number)"
    try bus.tell(
      Self.name, Self.managerPath, "AddObject", .string(path), .string(Self.name + ".Location"),
      Self.table(properties), .array(of: "(ssss)", []))
    let client = Self.name + ".Client"
    switch way {
    case .property:
      try bus.tell(
        Self.name, Self.clientPath, "Set", .string(client), .string("Location"),
        .variant(.path(path)), interface: "org.freedesktop.DBus.Properties")
    case .signal:
      try bus.tell(
        Self.name, Self.clientPath, "EmitSignal", .string(client), .string("LocationUpdated"),
        .string("oo"), .array(of: "v", [.variant(.path("/")), .variant(.path(path))]))
    case .quiet:
      // The property is another, and no signal says so.
      try addMethod(
        Self.clientPath, "Test", "Locate", "", "",
        "self.props['\(client)']['Location'] = dbus.ObjectPath('\(path)')")
      try bus.tell(Self.name, Self.clientPath, "Locate", interface: Self.name + ".Test")
    }
  }

  static func location(latitude: Double = 48.1173) -> [(String, BusValue)] {
    [
      ("Latitude", .double(latitude)), ("Longitude", .double(11.5)), ("Accuracy", .double(25)),
      ("Altitude", .double(545.4)), ("Speed", .double(5.5)), ("Heading", .double(360)),
      ("Description", .string("GPS")),
      ("Timestamp", .structure([.uint64(1_782_043_202), .uint64(500_000)])),
    ]
  }

  /// The calls of a method so far.
  func calls(_ path: String, _ method: String) throws -> Int {
    try bus.tell(Self.name, path, "GetMethodCalls", .string(method)).first?.elements?.count ?? 0
  }

  func property(_ name: String) throws -> BusValue? {
    try bus.tell(
      Self.name, Self.clientPath, "Get", .string(Self.name + ".Client"), .string(name),
      interface: "org.freedesktop.DBus.Properties"
    ).first?.plain
  }
}

/// A ModemManager of dbusmock's with one modem that has a receiver.
struct MockedModemReceiver {
  static let name = "org.freedesktop.ModemManager1"
  static let root = "/org/freedesktop/ModemManager1"
  static let path = "/org/freedesktop/ModemManager1/Modem/0"

  let bus: PrivateBus
  let process: ChildProcess

  /// `answer` is the Python of what `GetLocation` does; `more` are properties beside it.
  init(
    on bus: PrivateBus, answer: String, more: [(String, BusValue)] = [("Enabled", .uint32(7))]
  ) throws {
    self.bus = bus
    process = try bus.mock(Self.name, Self.root, Self.name, isObjectManager: true)
    try bus.tell(
      Self.name, Self.root, "AddObject", .string(Self.path), .string(Self.name + ".Modem"),
      MockedGeoClue.table([
        ("State", .int32(8)), ("Manufacturer", .string("Mock")), ("Model", .string("Modem")),
        ("DeviceIdentifier", .string("0123456789abcdef")),
      ]), .array(of: "(ssss)", []))
    let location = Self.name + ".Modem.Location"
    try bus.tell(
      Self.name, Self.path, "AddProperties", .string(location),
      MockedGeoClue.table(
        [("Capabilities", .uint32(7)), ("Location", .dictionary(of: "uv", []))] + more))
    try set(answer: answer)
    try bus.tell(
      Self.name, Self.path, "AddMethod", .string(location), .string("Setup"), .string("ub"),
      .string(""), .string(""))
    try bus.tell(
      Self.name, Self.path, "AddMethod", .string(Self.name + ".Test"), .string("Tell"),
      .string(""), .string(""), .string("self.object_manager_emit_added('\(Self.path)')"))
    try bus.tell(Self.name, Self.path, "Tell", interface: Self.name + ".Test")
  }

  /// Sets what `GetLocation` does.
  func set(answer: String) throws {
    try bus.tell(
      Self.name, Self.path, "AddMethod", .string(Self.name + ".Modem.Location"),
      .string("GetLocation"), .string(""), .string("a{uv}"), .string(answer))
  }

  static func raw(_ members: String) -> String {
    "ret = dbus.Dictionary({dbus.UInt32(2): dbus.Dictionary(\(members), signature='sv')}, "
      + "signature='uv')"
  }

  func calls(_ method: String) throws -> Int {
    try bus.tell(Self.name, Self.path, "GetMethodCalls", .string(method)).first?.elements?.count
      ?? 0
  }
}
