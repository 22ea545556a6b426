import Gathering
import Machine

/// iio-sensor-proxy, which holds sensors that others may then not read.
enum SensorProxy {
  static let name = "net.hadess.SensorProxy"
  static let path = "/net/hadess/SensorProxy"

  static let service = BusService(
    name, objects: .fixed([BusService.Place(path, name)]), unit: "iio-sensor-proxy.service",
    package: "iio-sensor-proxy")

  /// What it has of a machine.
  enum Sensor: String {
    case accelerometer = "Accelerometer"
    case light = "Light"
    case proximity = "Proximity"

    /// The property that tells whether there is one.
    var presence: String { self == .light ? "HasAmbientLight" : "Has\(rawValue)" }
  }

  /// A sensor that only the daemon shows, as an instance: none if the kernel shows any.
  static func instances(of sensor: Sensor, beside others: [Instance], on machine: Machine)
    -> [Instance]
  {
    guard others.isEmpty, let object = machine.view(of: service)?.object(path, name),
      object[name, sensor.presence]?.flag == true
    else { return [] }
    let isLimited = sensor == .accelerometer
    let available = Availability(
      .available, backend: "sensor-proxy", detail: isLimited ? "orientation only" : "",
      remedy: isLimited ? "systemctl stop \(service.unit), to read the sensor itself" : "")
    return [
      Instance(
        "sensor-proxy", label: "iio-sensor-proxy", availability: available, path: path,
        notes: ["sensor": sensor.rawValue])
    ]
  }
}

/// Reads one sensor of iio-sensor-proxy: claimed while a session updates.
final class SensorProxyReader: InstanceReader {
  /// What a kind makes of the daemon's properties: an outcome for each field it has.
  typealias Rule = ([String: BusValue]) -> [Int: Outcome]

  private let sensor: SensorProxy.Sensor
  private let tail: Int
  private let count: Int
  private let machine: Machine
  private let rule: Rule
  private var isClaimed = false
  private var last: [String: BusValue] = [:]

  /// `tail` is the index of the first property of the common tail, `count` that of all.
  init(
    _ sensor: SensorProxy.Sensor, tail: Int, count: Int, on machine: Machine,
    _ rule: @escaping Rule
  ) {
    self.sensor = sensor
    self.tail = tail
    self.count = count
    self.machine = machine
    self.rule = rule
  }

  deinit { release() }

  private func release() {
    if isClaimed { machine.bus?.call(Self.call("Release\(sensor.rawValue)")) { _ in } }
    isClaimed = false
  }

  /// The daemon may have to be waited for.
  var mayBlock: Bool { true }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let found = values()
    // Who only looks once leaves the sensor as it was.
    if !request.isUpdating { release() }
    for index in 0..<tail { reading[index] = found[index] ?? .unsupported(Self.silence) }
    let words: [SensorTail.Field: String] = [
      .acquisition: "service", .driver: "iio-sensor-proxy", .location: "unknown",
    ]
    for field in SensorTail.Field.allCases where tail + field.rawValue < count {
      reading[tail + field.rawValue] =
        words[field].map { .ok(.string($0)) } ?? .unsupported(Self.silence)
    }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { nil }

  private static let silence = "the service does not tell"

  /// What the daemon says now; where it refuses, that in place of what it would have said.
  private func values() -> [Int: Outcome] {
    guard let bus = machine.bus else { return [:] }
    do throws(BusFailure) {
      if !isClaimed {
        _ = try bus.ask(Self.call("Claim\(sensor.rawValue)"))
        isClaimed = true
      }
      let call = BusCall(
        SensorProxy.name, SensorProxy.path, "org.freedesktop.DBus.Properties", "GetAll",
        [.string(SensorProxy.name)])
      last = try bus.ask(call).first?.named ?? [:]
      return rule(last)
    } catch {
      let outcome = Outcome.from(error, of: SensorProxy.service)
      return rule(last).mapValues { $0.status == .unsupported ? $0 : outcome }
    }
  }

  private static func call(_ method: String) -> BusCall {
    BusCall(SensorProxy.name, SensorProxy.path, SensorProxy.name, method)
  }
}
