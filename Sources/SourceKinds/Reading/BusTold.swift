import Gathering
import Ground
import Machine
import Values

/// A value that a service told, and the words it told it in.
typealias BusTold = (outcome: Outcome, raw: RawValue?)

extension BusObject {
  /// A property by a rule, and how it came; its place is the interface and the property's name.
  func told(
    _ interface: String, _ name: String, _ rule: (BusValue) -> Outcome?
  ) -> BusTold {
    let value = self[interface, name]
    return (.of(value, name, rule), value.map { RawValue($0, place: "\(interface).\(name)") })
  }
}

extension RawValue {
  /// A value of the bus as it came: bytes as they are, everything else as text.
  init(_ value: BusValue, place: String) {
    self.init(value.bytes ?? Array("\(value)".utf8), place: place)
  }
}

extension BusValue {
  /// A whole number that a rule makes something of; nothing for another type.
  func count(_ make: (Int64) -> Outcome) -> Outcome? { integer.map(make) }

  /// Whole numbers in a range; others are an error, and nothing is made of another type.
  func count(
    _ name: String, in range: ClosedRange<Int64>, _ make: (Int64) -> Outcome
  ) -> Outcome? {
    count { range.contains($0) ? make($0) : .failed("\(name) is \($0)") }
  }

  /// A hardware address in two-digit upper-case groups with colons; zeros stand for none.
  var asHardwareAddress: Outcome? {
    guard let text else { return nil }
    if text.isEmpty { return .noData("empty text") }
    let groups = text.split(separator: ":", omittingEmptySubsequences: false)
    // A sign is no digit, though it would be taken for a part of a number.
    let bytes = groups.filter { $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }
      .compactMap { UInt8($0, radix: 16) }
    guard bytes.count == 6, groups.count == 6 else { return nil }
    return HardwareAddress.text(of: bytes).map { .ok(.string($0)) }
      ?? .noData("reported as \(text)")
  }
}

/// One interface of an object that a service may have now here, now there: watched where it was
/// last looked for, so that nothing else of the service has to be known.
final class BusGlimpse {
  private let service: BusService
  private let bus: (any MessageBus)?
  private var place: BusService.ObjectInterface?
  private var watch: (any Cancellable)?
  /// What was seen when it was last looked, the objects it leads to included.
  private(set) var seen: BusView?

  /// A glimpse at a service of a machine.
  init(of service: BusService, on machine: Machine) {
    self.service = service
    bus = machine.bus
  }

  deinit { watch?.cancel() }

  /// A service as far as one place of it goes, and where that leads.
  static func service(_ whole: BusService, at place: BusService.ObjectInterface) -> BusService {
    BusService(
      whole.name, objects: .fixed([place]), leads: whole.leads, unit: whole.unit,
      package: whole.package)
  }

  /// The object at a path with the properties of an interface, waiting so long for the service at
  /// most; why there is none otherwise.
  func look(
    at path: String, _ interface: String, within nanoseconds: Int64
  ) -> (object: BusObject?, absence: Outcome) {
    let wanted = BusService.ObjectInterface(path, interface)
    let narrow = Self.service(service, at: wanted)
    if place != wanted {
      watch?.cancel()
      watch = bus?.watch(narrow) {}
      place = wanted
    }
    let none = Outcome.noData("\(service.backend) does not tell of it at present")
    seen = bus?.view(of: narrow, waiting: nanoseconds)
    guard let view = seen else { return (nil, none) }
    if case .absent(let failure) = view.state { return (nil, .from(failure, of: service)) }
    return (view.object(path, interface), none)
  }

  /// Looks nowhere any more.
  func close() {
    watch?.cancel()
    (watch, place, seen) = (nil, nil, nil)
  }
}
