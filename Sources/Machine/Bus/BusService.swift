/// A daemon on the message bus, and which of its objects are mirrored.
public struct BusService: Hashable, Sendable {
  /// How the objects of a service are found.
  public enum Objects: Hashable, Sendable {
    /// An object at a path lists all of them: `org.freedesktop.DBus.ObjectManager`.
    case managed(root: String)
    /// These, and no others.
    case fixed([ObjectInterface])
    /// These objects, and those that a method lists and two signals announce.
    case listed(by: Listing, and: [ObjectInterface])
    /// Objects that a method lists with their properties and two signals announce: oFono's dialect,
    /// which has neither `org.freedesktop.DBus.ObjectManager` nor `Properties`.
    ///
    /// The property `naming` of an object has the names of its further interfaces. The wanted ones
    /// return their properties by `GetProperties` and announce each change by `PropertyChanged`.
    case introduced(by: Listing, naming: String, wanted: [String])
  }

  /// One interface of an object.
  public struct ObjectInterface: Hashable, Sendable {
    /// The object's path.
    public var path: String
    /// The interface whose properties are read.
    public var interface: String

    /// An interface of the object at a path.
    public init(_ path: String, _ interface: String) {
      self.path = path
      self.interface = interface
    }
  }

  /// A method that answers with the paths of objects, and the signals of one more and one less.
  public struct Listing: Hashable, Sendable {
    /// Who lists them.
    public var place: ObjectInterface
    /// The method: no arguments, one array of paths as answer, or of structures with one: its first
    /// path counts. Properties may follow.
    public var method: String
    /// The signal that announces an object by the same members.
    public var added: String
    /// The signal of one less.
    public var removed: String
    /// The interface the objects listed have.
    public var interface: String

    /// A listing.
    public init(
      _ place: ObjectInterface, method: String, added: String, removed: String, interface: String
    ) {
      self.place = place
      self.method = method
      self.added = added
      self.removed = removed
      self.interface = interface
    }
  }

  /// A signal of an object that carries a property, in addition to the standard signal.
  public struct PropertySignal: Hashable, Sendable {
    /// Whose property it is.
    public var place: ObjectInterface
    /// The property.
    public var property: String
    /// The signal, of the same interface.
    public var signal: String
    /// Which of its arguments is the value, counted from 0.
    public var argument: Int

    /// Makes a signal that carries a property.
    public init(_ place: ObjectInterface, _ property: String, by signal: String, argument: Int) {
      self.place = place
      self.property = property
      self.signal = signal
      self.argument = argument
    }
  }

  /// A property of a known object that names another object, which is mirrored while it is the one
  /// named.
  public struct Lead: Hashable, Sendable {
    /// Whose property it is.
    public var interface: String
    /// The property, a path.
    public var property: String
    /// The interface of the object named.
    public var target: String

    /// A property that leads to an interface of another object.
    public init(_ interface: String, _ property: String, to target: String) {
      self.interface = interface
      self.property = property
      self.target = target
    }
  }

  /// What is told of it, in one object: services are copied and compared at each message.
  private final class Facts: Sendable {
    let name: String
    let objects: Objects
    let propertySignals: [PropertySignal]
    let leads: [Lead]
    let readings: Set<String>
    let unit: String
    let package: String
    /// A number by which few services share a place in a table.
    let number: Int

    init(
      _ name: String, _ objects: Objects, _ propertySignals: [PropertySignal], _ leads: [Lead],
      _ readings: Set<String>, unit: String, package: String
    ) {
      self.name = name
      self.objects = objects
      self.propertySignals = propertySignals
      self.leads = leads
      self.readings = readings
      self.unit = unit
      self.package = package
      number = name.hashValue
    }
  }

  private let facts: Facts

  /// The name it is known by: `org.bluez`.
  public var name: String { facts.name }
  /// Which objects are mirrored.
  public var objects: Objects { facts.objects }
  /// Further signals that carry their properties.
  public var propertySignals: [PropertySignal] { facts.propertySignals }
  /// Which of their properties lead to others.
  public var leads: [Lead] { facts.leads }
  /// The properties that are readings: a change of these alone makes no object appear or disappear,
  /// and changes no name.
  public var readings: Set<String> { facts.readings }
  /// The systemd unit that runs it, for remedies.
  public var unit: String { facts.unit }
  /// The Debian package that brings it.
  public var package: String { facts.package }

  /// A service and its objects.
  public init(
    _ name: String, objects: Objects, propertySignals: [PropertySignal] = [], leads: [Lead] = [],
    readings: Set<String> = [], unit: String, package: String
  ) {
    facts = Facts(name, objects, propertySignals, leads, readings, unit: unit, package: package)
  }

  /// By the name alone, which few services share; all of it is compared.
  public func hash(into hasher: inout Hasher) { hasher.combine(facts.number) }

  /// Whether all that is told of them is equal.
  public static func == (one: BusService, other: BusService) -> Bool {
    one.facts === other.facts
      || one.name == other.name && one.objects == other.objects
        && one.propertySignals == other.propertySignals && one.leads == other.leads
        && one.readings == other.readings && one.unit == other.unit
        && one.package == other.package
  }
}

extension BusService {
  /// How its objects are listed, if they are.
  var listing: Listing? {
    switch objects {
    case .managed, .fixed: nil
    case .listed(let listing, _), .introduced(let listing, _, _): listing
    }
  }

  /// Whether its objects are listed with their properties.
  var introduces: Bool {
    if case .introduced = objects { return true }
    return false
  }
}

/// A question to a service: one method call, which starts no service and is given 2 s.
public struct BusCall: Equatable, Sendable {
  /// The service's name, or the unique name of a connection.
  public var destination: String
  /// The path of the object called.
  public var path: String
  /// The method's interface.
  public var interface: String
  /// The method.
  public var member: String
  /// The arguments of the call.
  public var arguments: [BusValue]

  /// A method call.
  public init(
    _ destination: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue] = []
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
  }
}
