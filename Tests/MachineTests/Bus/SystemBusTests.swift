import GatheredKitTesting
import Glibc
import Ground
import Machine
import Testing

/// A real bus with real processes on it.
@Suite(.enabled(if: PrivateBus.isInstalled)) struct SystemBusTests {
  static let name = "org.example.Store"
  static let store = BusService(
    name, objects: .managed(root: "/"), unit: "store.service", package: "store")
  static let item = "org.example.Item"

  /// A bus with an object manager at `/` that has one item.
  private static func stocked() throws -> (PrivateBus, ChildProcess) {
    let bus = try PrivateBus()
    let mock = try bus.mock(name, "/", "org.example.Manager", isObjectManager: true)
    try stock(bus)
    return (bus, mock)
  }

  private static func stock(_ bus: PrivateBus) throws {
    try bus.tell(
      name, "/", "AddObject", .string("/item/1"), .string(item),
      .dictionary(
        of: "sv",
        [
          BusPair(.string("Count"), .variant(.int16(-7))),
          BusPair(.string("Name"), .variant(.string("nail"))),
        ]), .array(of: "(ssss)", []))
  }

  private static func change(
    _ bus: PrivateBus, _ changed: [BusPair], losing lost: [String] = []
  ) throws {
    try bus.tell(
      name, "/item/1", "EmitSignal", .string("org.freedesktop.DBus.Properties"),
      .string("PropertiesChanged"), .string("sa{sv}as"),
      .array(
        of: "v",
        [
          .variant(.string(item)), .variant(.dictionary(of: "sv", changed)),
          .variant(.array(of: "s", lost.map { .string($0) })),
        ]))
  }

  @Test func `a mirror has what the service has, and follows its signals`() throws {
    let (bus, mock) = try Self.stocked()
    let other = SystemBus(address: bus.address)
    let changes = Monitor(0)
    let watch = other.watch(Self.store) { changes.withLock { $0 += 1 } }
    let view = other.view(of: Self.store, waiting: Patience.limit)
    #expect(view.isRunning)
    #expect(view.object("/item/1", Self.item)?[Self.item, "Count"] == .int16(-7))
    #expect(view.object("/item/1", Self.item)?[Self.item, "Name"] == .string("nail"))
    #expect(Patience.wait { changes.withLock { $0 } > 0 })

    try Self.change(bus, [BusPair(.string("Count"), .variant(.string("many")))])
    // A value of another type is data, too.
    #expect(
      Patience.wait {
        other.view(of: Self.store, waiting: 0).objects["/item/1"]?[Self.item, "Count"]
          == .string("many")
      })
    try Self.change(bus, [], losing: ["Count"])
    #expect(
      Patience.wait {
        other.view(of: Self.store, waiting: 0).objects["/item/1"]?[Self.item, "Count"] == nil
      })
    let kept = other.view(of: Self.store, waiting: 0).objects["/item/1"]
    #expect(kept?[Self.item, "Name"] == .string("nail"))

    watch.cancel()
    let before = changes.withLock { $0 }
    try Self.change(bus, [BusPair(.string("Count"), .variant(.int16(1)))])
    _ = try other.ask(Self.ping)
    #expect(changes.withLock { $0 } == before)
    withExtendedLifetime(mock) {}
  }

  static let ping = BusCall(
    "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId")

  @Test func `objects come and go while they are watched`() throws {
    let (bus, mock) = try Self.stocked()
    let other = SystemBus(address: bus.address)
    let watch = other.watch(Self.store) {}
    #expect(other.view(of: Self.store, waiting: Patience.limit).isRunning)
    let path = BusValue.variant(.path("/item/2"))
    let properties = BusValue.dictionary(
      of: "sv", [BusPair(.string("Count"), .variant(.int16(2)))])
    try bus.tell(
      Self.name, "/", "EmitSignal", .string("org.freedesktop.DBus.ObjectManager"),
      .string("InterfacesAdded"), .string("oa{sa{sv}}"),
      .array(
        of: "v",
        [
          path,
          .variant(.dictionary(of: "sa{sv}", [BusPair(.string(Self.item), properties)])),
        ]))
    #expect(
      Patience.wait {
        other.view(of: Self.store, waiting: 0).objects["/item/2"]?[Self.item, "Count"]
          == .int16(2)
      })
    try bus.tell(
      Self.name, "/", "EmitSignal", .string("org.freedesktop.DBus.ObjectManager"),
      .string("InterfacesRemoved"), .string("oas"),
      .array(of: "v", [path, .variant(.array(of: "s", [.string(Self.item)]))]))
    #expect(
      Patience.wait { other.view(of: Self.store, waiting: 0).objects["/item/2"] == nil })
    #expect(other.view(of: Self.store, waiting: 0).objects["/item/1"] != nil)
    withExtendedLifetime((watch, mock)) {}
  }

  @Test func `H4 a daemon that ends empties the mirror, and one that begins fills it anew`() throws
  {
    let (bus, mock) = try Self.stocked()
    let other = SystemBus(address: bus.address)
    let watch = other.watch(Self.store) {}
    #expect(other.view(of: Self.store, waiting: Patience.limit).isRunning)
    mock.end()
    #expect(Patience.wait { Self.cause(other) == .notRunning(isActivatable: false) })
    #expect(other.view(of: Self.store, waiting: 0).objects.isEmpty)
    let second = try bus.mock(Self.name, "/", "org.example.Manager", isObjectManager: true)
    #expect(Patience.wait { other.view(of: Self.store, waiting: 0).isRunning })
    withExtendedLifetime((watch, second)) {}
  }

  private static func cause(_ bus: SystemBus, _ service: BusService = store) -> BusFailure.Cause? {
    guard case .absent(let failure) = bus.view(of: service, waiting: 0).state else { return nil }
    return failure.cause
  }

  @Test func `a daemon that hangs costs 2 s once, and is taken up where it goes on`() throws {
    let (bus, mock) = try Self.stocked()
    let other = SystemBus(address: bus.address)
    mock.pause()
    defer { mock.resume() }
    let begin = LiveTime().now.boot
    let watch = other.watch(Self.store) {}
    let view = other.view(of: Self.store, waiting: Patience.limit)
    let waited = LiveTime().now.boot - begin
    #expect(
      view.state
        == .absent(
          BusFailure.init(
            .timedOut, message: "\(Self.name) does not answer", errno: ETIMEDOUT)))
    #expect(waited >= 1_900_000_000)
    // Others are answered meanwhile, and no caller waits for it again.
    #expect(throws: Never.self) { try other.ask(Self.ping) }
    watch.cancel()
    let again = other.watch(Self.store) {}
    #expect(Self.cause(other) == .timedOut)
    #expect(throws: BusFailure.self) {
      try other.ask(BusCall(Self.name, "/", "org.example.Manager", "Any"))
    }
    mock.resume()
    #expect(Patience.wait { other.view(of: Self.store, waiting: 0).isRunning })
    withExtendedLifetime(again) {}
  }

  @Test func `H2 what was known a moment ago is known until the service has answered again`()
    throws
  {
    let (bus, mock) = try Self.stocked()
    let other = SystemBus(address: bus.address)
    #expect(other.view(of: Self.store, waiting: 0).state == .asking)
    let first = other.watch(Self.store) {}
    #expect(other.view(of: Self.store, waiting: Patience.limit).isRunning)
    mock.pause()
    defer { mock.resume() }
    first.cancel()
    let second = other.watch(Self.store) {}
    #expect(other.view(of: Self.store, waiting: 0).objects["/item/1"] != nil)
    // Who waits wants what is so now.
    #expect(!other.view(of: Self.store, waiting: 1).isRunning)
    mock.resume()
    #expect(Patience.wait { other.view(of: Self.store, waiting: 1_000_000_000).isRunning })
    second.cancel()
  }

  @Test func `A2 K2 a service that could be started is not`() throws {
    let bus = try PrivateBus(activatable: [Self.name])
    let other = SystemBus(address: bus.address)
    let watch = other.watch(Self.store) {}
    let view = other.view(of: Self.store, waiting: Patience.limit)
    guard case .absent(let failure) = view.state else {
      Issue.record("\(view)")
      return
    }
    #expect(failure.cause == .notRunning(isActivatable: true))
    #expect(throws: BusFailure.self) {
      try other.ask(BusCall(Self.name, "/", "org.example.Manager", "Any"))
    }
    #expect(!bus.hasActivated)
    withExtendedLifetime(watch) {}
  }

  @Test func `H4 a bus that ends and begins again is found again`() throws {
    let (bus, mock) = try Self.stocked()
    let other = SystemBus(address: bus.address)
    let watch = other.watch(Self.store) {}
    #expect(other.view(of: Self.store, waiting: Patience.limit).isRunning)
    bus.stop()
    #expect(Patience.wait { Self.cause(other) == .noBus })
    #expect(throws: BusFailure.self) { try other.ask(Self.ping) }
    mock.end()
    try bus.start()
    let second = try bus.mock(Self.name, "/", "org.example.Manager", isObjectManager: true)
    #expect(Patience.wait { other.view(of: Self.store, waiting: 0).isRunning })
    withExtendedLifetime((watch, second)) {}
  }

  @Test func `K2 a bus that is not there costs next to nothing`() throws {
    let folder = try TemporaryFolder()
    let bus = SystemBus(address: "unix:path=\(folder.path)/none")
    let watch = bus.watch(Self.store) {}
    let isSpared = Patience.isSpared {
      guard case .absent(let failure) = bus.view(of: Self.store, waiting: Patience.limit).state
      else {
        Issue.record("a bus without a socket answers")
        return
      }
      #expect(failure.cause == .noBus)
      #expect(failure.errno == ENOENT)
      for _ in 0..<20 { _ = bus.view(of: Self.store, waiting: Patience.limit) }
    }
    #expect(isSpared)
    withExtendedLifetime(watch) {}
  }

  @Test(arguments: ["unixexec:path=/usr/bin/touch,argv1=/tmp/x", "", "nonsense"])
  func `K2 an address that is no socket's is refused`(address: String) {
    let bus = SystemBus(address: address)
    let watch = bus.watch(Self.store) {}
    #expect(!bus.view(of: Self.store, waiting: Patience.limit).isRunning)
    #expect(Self.cause(bus) == .noBus)
    watch.cancel()
  }
}
