import Gathering
import Machine

/// iio-sensor-proxy, which holds sensors that others may then not read.
enum SensorProxy {
  static let name = "net.hadess.SensorProxy"
  static let path = "/net/hadess/SensorProxy"
  static let compass = "net.hadess.SensorProxy.Compass"

  static let service = service([
    BusService.ObjectInterface(path, name),
    // dbusmock has the compass on the main object; the daemon itself answers that it is not there.
    BusService.ObjectInterface(path, compass),
  ])

  /// The compass is an object of its own, which a policy may keep from us.
  static let compassService = service([BusService.ObjectInterface("\(path)/Compass", compass)])

  private static func service(_ places: [BusService.ObjectInterface]) -> BusService {
    BusService(
      name, objects: .fixed(places),
      readings: [
        "AccelerometerOrientation", "AccelerometerTilt", "CompassHeading", "LightLevel",
        "ProximityNear",
      ],
      unit: "iio-sensor-proxy.service", package: "iio-sensor-proxy")
  }

  /// The sensors of the daemon.
  enum Sensor: String {
    case accelerometer = "Accelerometer"
    case light = "Light"
    case proximity = "Proximity"
    case compass = "Compass"

    /// The property that shows whether the sensor exists.
    var presence: String { self == .light ? "HasAmbientLight" : "Has\(rawValue)" }
    /// The interface that has its properties.
    var interface: String { self == .compass ? SensorProxy.compass : name }
  }

  /// Whether it has a sensor and shows it on an object of one of its services.
  static func has(
    _ sensor: Sensor, in service: BusService = service, at path: String = path,
    on machine: Machine
  ) -> Bool {
    let object = machine.view(of: service)?.object(path, sensor.interface)
    return object?[sensor.interface, sensor.presence]?.flag == true
  }

  /// A sensor that only the daemon shows, as an instance: none if the kernel shows any.
  static func instances(of sensor: Sensor, beside others: [Instance], on machine: Machine)
    -> [Instance]
  {
    guard others.isEmpty, has(sensor, on: machine) else { return [] }
    var available = Availability(.available, backend: backend)
    if sensor == .accelerometer { available.detail = Availability.orientationOnly.detail }
    return [instance(of: sensor, available, at: path)]
  }

  /// The compass, if the kernel has none. If a policy denies access, a possible compass is reported
  /// only if the kernel has no sensor at all although the daemon runs.
  static func compasses(beside others: [Instance], on machine: Machine) -> [Instance] {
    let own = "\(path)/Compass"
    if others.isEmpty, has(.compass, in: compassService, at: own, on: machine) {
      return [instance(of: .compass, Availability(.available, backend: backend), at: own)]
    }
    let mocked = instances(of: .compass, beside: others, on: machine)
    guard others.isEmpty, mocked.isEmpty,
      case .absent(let failure) = machine.view(of: compassService)?.state,
      failure.cause == .accessDenied || failure.cause == .notAuthorized,
      (try? IIODevice.all(on: machine))?.isEmpty ?? true
    else { return mocked }
    return [instance(of: .compass, .compassWithheld, at: own)]
  }

  private static func instance(
    of sensor: Sensor, _ availability: Availability, at path: String
  ) -> Instance {
    Instance(
      "sensor-proxy", label: "iio-sensor-proxy", availability: availability, path: path,
      notes: ["sensor": sensor.rawValue])
  }

  fileprivate static let backend = "sensor-proxy"
}

extension Availability {
  /// A chip held by iio-sensor-proxy: the daemon reports the orientation and nothing else.
  static let orientationOnly = Availability(
    .available, backend: SensorProxy.backend, detail: "orientation only",
    remedy: "systemctl stop \(SensorProxy.service.unit)")

  /// Debian's policy allows only the user geoclue to use it.
  fileprivate static let compassWithheld = Availability(
    .restrictedByPolicy, backend: SensorProxy.backend,
    detail: "the bus's policy keeps \(SensorProxy.compass) from this user",
    remedy: "allow this user to send to \(SensorProxy.name) in a file of /etc/dbus-1/system.d")
}
