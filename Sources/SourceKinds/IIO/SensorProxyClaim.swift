import Gathering
import Machine

/// A claim on one sensor of iio-sensor-proxy: made on first use of the sensor, repeated when the
/// daemon was restarted, and ended with this object (catalogue 3.4).
final class SensorProxyClaim {
  private let sensor: SensorProxy.Sensor
  private let path: String
  private let bus: (any MessageBus)?
  /// The daemon that has the claim, by its unique name: its successor does not.
  private var owner: String?
  private var reported: [String: BusValue] = [:]

  /// A claim to be made on the sensor that an object of the daemon shows.
  init(_ sensor: SensorProxy.Sensor, at path: String = SensorProxy.path, on machine: Machine) {
    self.sensor = sensor
    self.path = path
    bus = machine.bus
  }

  deinit { release() }

  /// Whether the sensor is claimed.
  var isHeld: Bool { owner != nil }

  /// Releases the sensor, if it is claimed.
  func release() {
    guard isHeld else { return }
    if let owner { bus?.call(call(owner, "Release\(sensor.rawValue)")) { _ in } }
    owner = nil
  }

  /// The present values of a claimed sensor.
  func values() throws(BusFailure) -> [String: BusValue] {
    guard let bus else { throw BusFailure(.noBus, message: "there is no message bus") }
    if let owner {
      do throws(BusFailure) {
        return try properties(owner, bus)
      } catch {
        guard error.isDeparture else { throw error }
        self.owner = nil
      }
    }
    let name = BusCall(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
      [.string(SensorProxy.name)])
    guard let owner = try bus.ask(name).first?.text else {
      throw BusFailure(.malformed, message: "the bus names no owner of \(SensorProxy.name)")
    }
    _ = try bus.ask(call(owner, "Claim\(sensor.rawValue)"))
    self.owner = owner
    return try properties(owner, bus)
  }

  private func properties(
    _ owner: String, _ bus: any MessageBus
  ) throws(BusFailure) -> [String: BusValue] {
    let call = BusCall(
      owner, path, "org.freedesktop.DBus.Properties", "GetAll", [.string(sensor.interface)])
    reported = try bus.ask(call).first?.named ?? [:]
    return reported
  }

  /// A property as reported last.
  func raw(_ name: String) -> RawValue? {
    reported[name].map { RawValue("\($0)".utf8, place: "\(sensor.interface).\(name)") }
  }

  /// The methods are the interface's own, but for a compass on the main object.
  private func call(_ owner: String, _ method: String) -> BusCall {
    let interface = path == SensorProxy.path ? SensorProxy.name : sensor.interface
    return BusCall(owner, path, interface, method)
  }
}

extension BusFailure {
  /// Whether the daemon or the bus is gone.
  fileprivate var isDeparture: Bool {
    switch cause {
    case .notRunning, .noBus: true
    default: false
    }
  }
}
