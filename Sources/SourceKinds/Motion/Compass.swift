import Gathering
import Machine
import Motion
import Values

/// Where the device's top points over the ground.
struct Compass: CatalogueKind {
  enum Field: Int, PropertyField {
    case magneticHeading, trueHeading, declination, accuracy, method

    var property: Property {
      switch self {
      case .magneticHeading:
        Property("magnetic_heading", .double, unit: "deg", .continuous, range: 0...360)
      case .trueHeading:
        Property("true_heading", .double, unit: "deg", .continuous, .derived, range: 0...360)
      case .declination:
        Property("declination", .double, unit: "deg", .onChange, .config, range: -180...180)
      case .accuracy:
        Property("accuracy", .double, unit: "deg", .continuous, .derived, range: 0...180)
      case .method:
        Property(
          "method", .enumeration(["fusion", "hardware", "tilt_compensated", "service", "course"]),
          .onChange)
      }
    }
  }

  let kind = "compass"
  let name = "Compass"
  let intervals = Intervals(seconds: 0.1, minimum: 0.02)
  let topics: [ChangeTopic] =
    [
      .devices(subsystem: "iio"), .bus(SensorProxy.service), .bus(SensorProxy.compassService),
    ] + PresentPosition.topics
  static let table = Field.properties

  /// One for each magnetometer, with what is on its chip or hub; the display's first. Without any,
  /// what iio-sensor-proxy has, else the course of a gps source.
  func discover(on machine: Machine) -> Discovery {
    var discovery = IIODevice.discover(
      "a magnetometer", on: machine, byLocation: true
    ) { device, all in
      guard let unit = MotionUnit(headingOf: device, among: all) else { return nil }
      var instance = unit.instance(on: machine)
      if unit.headingMethod == nil {
        instance.availability = .headingNeedsAccelerometer(device)
      }
      return instance
    }
    discovery.instances += SensorProxy.compasses(beside: discovery.instances, on: machine)
    let isUsable = discovery.instances.contains { $0.availability.state != .restrictedByPolicy }
    if !isUsable, let course = Instance.gpsFallback(on: machine) {
      discovery.instances.append(course)
    }
    return discovery
  }

  /// Opens one unit.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    if instance.isGPSFallback { return CourseReader(on: machine) }
    if instance.notes["sensor"] != nil { return try Self.proxyReader(instance, on: machine) }
    let unit = try MotionUnit.found(again: instance, on: machine) {
      MotionUnit(headingOf: $0, among: $1)
    }
    guard let method = unit.headingMethod else {
      throw .unavailable(.headingNeedsAccelerometer(unit.lead))
    }
    // A filter needs every sample; the other methods use the requested interval.
    let streamsBelow: Int64 = method == .fusion ? .max : 100_000_000
    return try MotionReader(
      unit, on: machine, table: HeadingTable(method, at: PresentPosition(on: machine)),
      streamsBelow: streamsBelow)
  }

  private static func proxyReader(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> SensorProxyReader {
    if instance.availability.group != .available { throw .unavailable(instance.availability) }
    let position = PresentPosition(on: machine)
    let claim = SensorProxyClaim(.compass, at: instance.path, on: machine)
    return SensorProxyReader(
      claim, tail: table.count, count: table.count,
      names: [Field.magneticHeading.rawValue: "CompassHeading"]
    ) { reported in
      let heading = Outcome.of(reported["CompassHeading"], "CompassHeading") { value in
        value.number { degrees in
          if degrees < 0 { return .noData("reported as \(degrees)") }
          return degrees <= 360
            ? .ok(.double(TiltCompass.wrapped(degrees))) : .failed("\(degrees) is no heading")
        }
      }
      let declination = position.declination().map { Outcome.ok(.double($0)) }
      return [
        Field.magneticHeading.rawValue: heading,
        Field.trueHeading.rawValue: HeadingTable.noDeclination,
        Field.declination.rawValue: declination ?? HeadingTable.noDeclination,
        Field.method.rawValue: .ok(.string("service")),
      ]
    }
  }

  /// Computes the heading from true north if a declination is known.
  func derive(_ reading: inout Reading) {
    guard let declination = reading[Field.declination].number else {
      if reading[Field.method].value.text == "course" {
        reading[Field.magneticHeading] = HeadingTable.noDeclination
      }
      return
    }
    turn(&reading, by: declination)
  }

  /// Whether a session has set its declination.
  func adapts(to session: SessionFacts) -> Bool { declination(of: session) != nil }

  /// Gives the heading from true north.
  func adapt(_ reading: inout Reading, to session: SessionFacts) {
    guard let declination = declination(of: session) else { return }
    reading[Field.declination] = .ok(.double(declination))
    turn(&reading, by: declination)
  }

  private func turn(_ reading: inout Reading, by declination: Double) {
    if reading[Field.method].value.text == "course" {
      // A course is measured over ground, from true north.
      let course = reading[Field.trueHeading]
      reading[Field.magneticHeading] =
        course.number.map { .ok(.double(TiltCompass.wrapped($0 - declination))) }
        ?? course.asMissingInput
      return
    }
    let magnetic = reading[Field.magneticHeading]
    // A device that reports true north only needs no declination.
    guard magnetic.status != .unsupported else { return }
    guard let heading = magnetic.number else {
      reading[Field.trueHeading] = magnetic.asMissingInput
      return
    }
    reading[Field.trueHeading] = .ok(.double(TiltCompass.wrapped(heading + declination)))
  }

  private func declination(of session: SessionFacts) -> Double? {
    guard let number = session.settings[Field.declination]?.number, number.isFinite,
      abs(number) <= 180
    else { return nil }
    return number
  }
}

/// How a heading is determined.
enum HeadingMethod: String, Sendable {
  case fusion, hardware
  case tiltCompensated = "tilt_compensated"
}

extension MotionUnit {
  /// The way to a heading these parts allow; nil if they allow none.
  var headingMethod: HeadingMethod? {
    if has(.magneticHeading) || has(.trueHeading) { return .hardware }
    guard has(.field), has(.acceleration) else { return nil }
    return has(.rotation) ? .fusion : .tiltCompensated
  }
}

extension Availability {
  /// A magnetometer without information about the vertical.
  fileprivate static func headingNeedsAccelerometer(_ device: IIODevice) -> Availability {
    Availability(
      .noHardware, backend: "iio",
      detail: "no accelerometer is on the chip or hub of \(device.path)")
  }
}
