import Glibc
public import Ground
public import Machine

/// A message bus of a test's own: a dbus-daemon on a socket in a temporary folder.
public final class PrivateBus: Sendable {
  /// Its D-Bus address.
  public let address: String
  /// A connection to it, for the test's own questions.
  public let bus: SystemBus

  private let folder: TemporaryFolder
  private let daemon = Monitor<ChildProcess?>(nil, rank: .device)

  /// Whether what it takes is installed.
  public static var isInstalled: Bool {
    access("/usr/bin/dbus-daemon", X_OK) == 0
      && access("/usr/lib/python3/dist-packages/dbusmock", F_OK) == 0
  }

  /// A bus that runs. `activatable` are names it would start on demand, by a program that fails;
  /// `rules` are those of its policy after those that allow everything: `<deny …/>`.
  public init(activatable: [String] = [], rules: String = "") throws(SystemError) {
    folder = try TemporaryFolder()
    address = "unix:path=\(folder.path)/bus"
    bus = SystemBus(address: address)
    let configuration = """
      <busconfig><type>session</type><listen>\(address)</listen><auth>EXTERNAL</auth>
      <servicedir>\(folder.path)/services</servicedir><policy context="default">
      <allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
      \(rules)</policy></busconfig>

      """
    try folder.write(Array(configuration.utf8), to: "/bus.conf")
    try folder.makeFolder("/services")
    for name in activatable {
      let text = "[D-BUS Service]\nName=\(name)\nExec=/usr/bin/touch \(folder.path)/started\n"
      try folder.write(Array(text.utf8), to: "/services/\(name).service")
    }
    try start()
  }

  deinit { stop() }

  /// Whether the bus started something on demand.
  public var hasActivated: Bool { access(folder.path + "/started", F_OK) == 0 }

  /// Starts it, again if it was ended; returns when its socket is there.
  public func start() throws(SystemError) {
    unlink(folder.path + "/bus")
    let child = try ChildProcess(
      ["/usr/bin/dbus-daemon", "--nofork", "--config-file=\(folder.path)/bus.conf"])
    daemon.withLock { $0 = child }
    Patience.wait { access(self.folder.path + "/bus", F_OK) == 0 }
  }

  /// Ends it without a farewell.
  public func stop() {
    daemon.withLock { daemon in
      daemon?.end()
      daemon = nil
    }
  }

  /// Starts a mock of a service from one of dbusmock's templates; returns when it owns its name.
  public func mock(
    _ template: String, owning name: String
  ) throws(SystemError) -> ChildProcess {
    try start(["-t", template], owning: name)
  }

  /// Starts an empty mock with one object; returns when it owns its name.
  public func mock(
    _ name: String, _ path: String, _ interface: String, isObjectManager: Bool = false
  ) throws(SystemError) -> ChildProcess {
    let manager = isObjectManager ? ["--is-object-manager"] : []
    return try start(["--system"] + manager + [name, path, interface], owning: name)
  }

  /// Starts a daemon that takes a tree's `/sys` for this computer's, by umockdev's grace; returns
  /// when it owns its name.
  public func run(
    _ words: [String], owning name: String, seeing tree: String
  ) throws(SystemError) -> ChildProcess {
    try start(
      words, owning: name, ["UMOCKDEV_DIR=\(tree)", "LD_PRELOAD=libumockdev-preload.so.0"])
  }

  private func start(
    _ arguments: [String], owning name: String
  ) throws(SystemError) -> ChildProcess {
    try start(
      ["/usr/bin/python3", "-m", "dbusmock", "--logfile", "/dev/null"] + arguments, owning: name,
      ["PYTHONDONTWRITEBYTECODE=1"])
  }

  private func start(
    _ words: [String], owning name: String, _ environment: [String]
  ) throws(SystemError) -> ChildProcess {
    let addresses = ["DBUS_SYSTEM_BUS_ADDRESS=\(address)", "DBUS_SESSION_BUS_ADDRESS=\(address)"]
    let child = try ChildProcess(words, environment: environment + addresses)
    let isThere = Patience.wait { self.owner(of: name) != nil }
    if !isThere { throw SystemError(ETIMEDOUT, at: name) }
    return child
  }

  /// The unique name of who owns a name.
  public func owner(of name: String) -> String? {
    let call = BusCall(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
      [.string(name)])
    return (try? bus.ask(call))?.first?.text
  }

  /// Calls a method of a mock, as `AddProperty` of `org.freedesktop.DBus.Mock`.
  @discardableResult
  public func tell(
    _ name: String, _ path: String, _ member: String, _ arguments: BusValue...,
    interface: String = "org.freedesktop.DBus.Mock"
  ) throws(BusFailure) -> [BusValue] {
    try bus.ask(BusCall(name, path, interface, member, arguments))
  }
}
