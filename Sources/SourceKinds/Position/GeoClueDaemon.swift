import Gathering
import Machine
import Values

/// GeoClue: its interfaces, and the content of its locations.
enum GeoClueDaemon {
  static let name = "org.freedesktop.GeoClue2"
  static let managerPath = "/org/freedesktop/GeoClue2/Manager"
  static let manager = "org.freedesktop.GeoClue2.Manager"
  static let client = "org.freedesktop.GeoClue2.Client"
  static let location = "org.freedesktop.GeoClue2.Location"

  static let service = BusService(
    name, objects: .fixed([BusService.ObjectInterface(managerPath, manager)]),
    unit: "geoclue.service",
    package: "geoclue-2.0")

  /// The word for it in availabilities and identifiers.
  static let word = "geoclue"
  /// The identity of the library: agents and the daemon's configuration know programs by it.
  static let desktopID = "gatheredkit"
  /// As exact as can be: `GCLUE_ACCURACY_LEVEL_EXACT`.
  static let exact: UInt32 = 8

  /// One client of the daemon, whose property `Location` is followed, and the signal that names the
  /// old and the new location.
  static func client(at path: String) -> BusService {
    let place = BusService.ObjectInterface(path, client)
    return BusService(
      name, objects: .fixed([place]),
      propertySignals: [
        BusService.PropertySignal(place, "Location", by: "LocationUpdated", argument: 1)
      ],
      unit: service.unit, package: service.package)
  }

  /// The fields it never reports.
  static let lacks: Set<GPSField> = [
    .altitudeEllipsoid, .verticalAccuracy, .speedAccuracy, .courseAccuracy, .climb,
    .climbAccuracy, .fixQuality, .timeAccuracy, .satellitesUsed, .satellitesVisible, .hdop, .vdop,
    .pdop,
  ]

  /// A refusal, as sources see it: policy is the agent's, or the configuration's.
  static func availability(_ failure: BusFailure, in files: any FileTree) -> Availability {
    switch failure.cause {
    case .accessDenied, .notAuthorized, .needsAuthorization:
      return Availability(
        .restrictedByPolicy, backend: word, detail: failure.message, errno: failure.errno,
        remedy: "agree in the GeoClue agent, or allow [\(desktopID)] in "
          + "/etc/geoclue/geoclue.conf: allowed=true, system=true, users=; then: "
          + "systemctl restart \(service.unit)")
    default:
      var availability = Availability(failure, of: service, in: files)
      availability.backend = word
      return availability
    }
  }

  /// It names no client to users without an agent, allowed or not, and leaves the question open.
  static func withoutAgent(_ failure: BusFailure) -> Availability {
    Availability(
      .restrictedByPolicy, backend: word, detail: "no GeoClue agent runs for this user",
      errno: failure.errno, remedy: "run a GeoClue agent: /usr/libexec/geoclue-2.0/demos/agent")
  }

  // MARK: Locations

  private static let numbers: [(field: GPSField, name: String)] = [
    (.latitude, "Latitude"), (.longitude, "Longitude"), (.horizontalAccuracy, "Accuracy"),
    (.altitudeMsl, "Altitude"), (.speed, "Speed"), (.course, "Heading"),
  ]

  /// The report of a location's properties. It is a 3D fix if its height is known.
  static func report(_ properties: [String: BusValue]) -> PositionReport {
    var report = PositionReport(.named(nil))
    for (field, name) in numbers {
      report.values[field] = reported(field, name, properties[name])
    }
    report.values[.time] = time(properties["Timestamp"])
    let isPlace = properties["Latitude"] != nil && properties["Longitude"] != nil
    let hasHeight = report.values[.altitudeMsl]?.outcome.status == .ok
    report.mode = !isPlace ? 1 : hasHeight ? 3 : 2
    return report
  }

  private static func reported(_ field: GPSField, _ name: String, _ value: BusValue?)
    -> ReceiverValue
  {
    let raw = RawValue("\(value.map { "\($0)" } ?? "")".utf8, place: "\(location).\(name)")
    guard let value else { return ReceiverValue(.noData("\(name) is not known"), raw: raw) }
    guard let number = value.double else {
      return ReceiverValue(.of(value, name) { _ in nil }, raw: raw)
    }
    // Documented: the lowest number for an unknown height, -1 for everything else unknown.
    let isUnknown = field == .altitudeMsl ? number <= -1.797e308 : number == -1
    let isPlace = field == .latitude || field == .longitude
    if isUnknown && !isPlace { return ReceiverValue(.noData("reported as unknown"), raw: raw) }
    return ReceiverValue(number, of: field, raw: raw)
  }

  /// Seconds and microseconds since 1970; zero stands for never.
  private static func time(_ value: BusValue?) -> ReceiverValue {
    let raw = RawValue("\(value.map { "\($0)" } ?? "")".utf8, place: "\(location).Timestamp")
    return ReceiverValue(
      .of(value, "Timestamp") { value in
        guard case .structure(let parts) = value, parts.count == 2,
          let seconds = parts[0].integer, let rest = parts[1].integer
        else { return nil }
        if seconds == 0 { return .noData("reported as 0") }
        let (whole, isTooLate) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !isTooLate, (0..<1_000_000).contains(rest) else { return nil }
        let (moment, overflow) = whole.addingReportingOverflow(rest * 1000)
        return overflow ? nil : .ok(.time(moment))
      }, raw: raw)
  }
}

/// GeoClue as a backend of positions: one receiver, whatever its sources are.
struct GeoClueBackend: PositionBackend {
  private let machine: Machine
  private let own: GeoClueLink

  /// `notices` announce its reports.
  init(on machine: Machine, bus: any MessageBus, notices: (any ChangeNotices)?) {
    self.machine = machine
    own = GeoClueLink(bus: bus, files: machine.files, clock: machine.clock, notices: notices)
  }

  var link: any PositionLink { own }
  var cause: PositionCause {
    PositionCause(owner: machine.view(of: GeoClueDaemon.service)?.owner)
  }
  var unasked: Availability { .ready(GeoClueDaemon.word) }
  var empty: Availability { .noFix(GeoClueDaemon.word) }
  /// Its agent may have to ask the user.
  var isPatient: Bool { true }

  var presence: Availability? {
    var obstacle = Availability.obstacle(
      GeoClueDaemon.service, on: machine, view: machine.view(of: GeoClueDaemon.service))
    obstacle?.backend = GeoClueDaemon.word
    return obstacle
  }

  func meaning(of code: Int32) -> Availability {
    GeoClueDaemon.availability(
      BusFailure(.timedOut, message: "GeoClue does not answer", errno: code), in: machine.files)
  }

  func instances() -> [Instance] {
    [instance(GeoClueDaemon.word, named: GeoClueDaemon.word, label: "GeoClue")]
  }
}
