import Synchronization

/// A snapshot of a service's objects, which the service's signals keep up to date.
public struct BusView: Equatable, Sendable {
  /// How far the service is known.
  public enum State: Equatable, Sendable {
    /// The service was queried and has not answered yet.
    case asking
    /// It runs, and the objects are its own.
    case running
    /// The service cannot be queried; there are no objects.
    case absent(BusFailure)
  }

  /// How far the service is known.
  public var state: State
  /// Its objects by path.
  public var objects: [String: BusObject]
  /// The unique name of the process that runs it, another after each start; nil where none does.
  public var owner: String?
  /// Another number after each change but those of readings alone (`BusService.readings`).
  public var listing: UInt64 = 0

  /// A view of a state and objects.
  public init(_ state: State, _ objects: [String: BusObject] = [:], owner: String? = nil) {
    self.state = state
    self.objects = objects
    self.owner = owner
  }

  /// Whether the service has answered.
  public var isRunning: Bool { state == .running }

  /// The object at a path, if it has an interface.
  public func object(_ path: String, _ interface: String) -> BusObject? {
    guard let object = objects[path], object.interfaces[interface] != nil else { return nil }
    return object
  }

  /// The paths of all objects with an interface, in no order.
  public func paths(with interface: String) -> [String] {
    objects.compactMap { $0.value.interfaces[interface] == nil ? nil : $0.key }
  }
}

/// One object of a service: its properties by interface and name, without variants around them.
public struct BusObject: Equatable, Sendable {
  /// The properties of each interface. A property without a known value is absent.
  public var interfaces: [String: [String: BusValue]] { didSet { change = nil } }
  /// When a signal last carried each property, on CLOCK_BOOTTIME in nanoseconds, by its bare name.
  /// Values from a complete query are not included.
  public var updatedAt: [String: Int64] = [:]
  /// Why a queried interface has not returned its properties.
  public var failures: [String: BusFailure] = [:]
  /// The last change, if a signal of changed properties made it; nil after anything else.
  public private(set) var change: BusChange?

  /// An object of interfaces.
  public init(_ interfaces: [String: [String: BusValue]] = [:]) {
    self.interfaces = interfaces
  }

  /// A property, or nil if it is not known.
  public subscript(interface: String, property: String) -> BusValue? {
    interfaces[interface]?[property]
  }

  /// Takes over the properties of an interface that a signal carries, and forgets those it only
  /// names; no property changes if the object lacks the interface.
  public mutating func take(
    _ new: [String: BusValue], without lost: [String] = [], of interface: String
  ) {
    let former = change?.number
    guard interfaces[interface]?.take(new, without: lost) != nil else { return }
    change = BusChange(of: lost + new.keys, after: former)
  }
}

/// A change of an object's properties by one signal.
public struct BusChange: Equatable, Sendable {
  private static let last = Atomic<UInt64>(0)

  /// The number of this change, which no other has.
  public let number: UInt64
  /// The number of the change before, if nothing else has happened between the two.
  public let former: UInt64?
  /// The names of the properties that changed.
  public let names: [String]

  fileprivate init(of names: [String], after former: UInt64?) {
    number = Self.last.add(1, ordering: .relaxed).newValue
    self.former = former
    self.names = names
  }
}

extension [String: BusValue] {
  fileprivate mutating func take(_ new: [String: BusValue], without lost: [String]) {
    for (name, value) in new { self[name] = value }
    for name in lost { self[name] = nil }
  }
}
