import Gathering
import Ground
import Machine

/// One interface of an object whose path may change: watched where it was last found, so that
/// nothing else of the service has to be mirrored.
final class BusGlimpse {
  private let service: BusService
  private let bus: (any MessageBus)?
  private var place: BusService.ObjectInterface?
  private var watch: (any Cancellable)?
  /// The last view, including the objects it leads to.
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
    let none = Outcome.noData("\(service.backend) does not report it at present")
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
