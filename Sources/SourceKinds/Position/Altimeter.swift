import Gathering
import Machine
import Motion
import Values

/// Air pressure, and the heights that follow from it.
struct Altimeter: CatalogueKind {
  enum Field: Int, SensorField {
    case pressure, pressureAltitude, altitude, relativeAltitude, seaLevelPressure, temperature
    case samplingFrequency, acquisition, driver, label, location

    var property: Property {
      switch self {
      case .pressure: Property("pressure", .double, unit: "Pa", .continuous, range: plausible)
      case .pressureAltitude:
        Property("pressure_altitude", .double, unit: "m", .continuous, .derived)
      case .altitude: Property("altitude", .double, unit: "m", .continuous, .derived)
      case .relativeAltitude:
        Property("relative_altitude", .double, unit: "m", .continuous, .derived)
      case .seaLevelPressure:
        Property("sea_level_pressure", .double, unit: "Pa", .onChange, .config)
      case .temperature: Property("temperature", .double, unit: "Cel", .continuous)
      case .samplingFrequency, .acquisition, .driver, .label, .location: tailProperty
      }
    }
  }

  let kind = "altimeter"
  let name = "Altimeter"
  let intervals = Intervals(seconds: 1, minimum: 0.02)
  let topics: [ChangeTopic] = [.devices(subsystem: "iio")] + PresentPosition.topics
  static let table = Field.properties

  /// The range of pressures that barometers can measure and that weather and mountains produce, in
  /// Pa.
  static let plausible = 30_000.0...120_000.0
  /// Metres a pascal makes at sea level.
  private static let metresPerPascal = 0.083

  /// All IIO devices with a pressure channel; without any, the altitude of a gps source.
  func discover(on machine: Machine) -> Discovery {
    IIODevice.discover("a barometer", on: machine) { device, _ in
      guard let plan = Self.plan(device) else { return nil }
      var table = plan.properties(Self.table, on: machine)
      table[Field.pressure].range = Self.plausible
      let step = table[Field.pressure].resolution.map { $0 * Self.metresPerPascal }
      for field in [Field.pressureAltitude, .altitude, .relativeAltitude] {
        table[field].resolution = step
      }
      return plan.instance(properties: table, on: machine)
    }.orGPSFallback(on: machine)
  }

  /// Opens a barometer.
  func open(
    _ instance: Instance, on machine: Machine
  ) throws(SourceError) -> (any InstanceReader)? {
    if instance.isGPSFallback { return PositionAltitudeReader(on: machine) }
    guard let plan = Self.plan(IIODevice(instance.path, on: machine)) else {
      throw .unavailable(.gone(instance))
    }
    return SensorReader(plan, on: machine, rule: AltitudeRule())
  }

  private static func plan(_ device: IIODevice) -> SensorPlan? {
    let pressure = device.channels("pressure")
    if pressure.isEmpty { return nil }
    return SensorPlan(
      device,
      numbers: [
        (Field.pressure.rawValue, pressure), (Field.temperature.rawValue, device.channels("temp")),
      ], tail: Field.tail)
  }

  /// Refuses pressures that no air has, and computes the height in the standard atmosphere.
  func derive(_ reading: inout Reading) {
    if isFromGPS(reading) { return }
    if let pressure = reading[Field.pressure].number, !Self.plausible.contains(pressure) {
      reading[Field.pressure] = .failed("\(pressure) Pa is implausible")
    }
    let altitude = Self.altitude(of: reading[Field.pressure])
    reading[Field.pressureAltitude] = altitude
    let isKnown = altitude.status == .ok
    reading[Field.relativeAltitude] = isKnown ? Self.notStarted : altitude
    if let seaLevel = reading[Field.seaLevelPressure].number {
      reading[Field.altitude] = Self.altitude(of: reading[Field.pressure], above: seaLevel)
    } else {
      reading[Field.altitude] = isKnown ? .noData("no sea level pressure is set") : altitude
      reading[Field.seaLevelPressure] = .noData("not set")
    }
  }

  /// A session with a sea level pressure, or with a first reading to count from.
  func adapts(to session: SessionFacts) -> Bool {
    session.first != nil || session.settings[Field.seaLevelPressure] != nil
  }

  /// Computes the heights above the session's sea level and above its first reading.
  func adapt(_ reading: inout Reading, to session: SessionFacts) {
    if isFromGPS(reading) { return }
    if let value = session.settings[Field.seaLevelPressure] {
      reading[Field.seaLevelPressure] = .ok(value)
      reading[Field.altitude] = Self.altitude(
        of: reading[Field.pressure], above: value.number ?? .nan)
    }
    guard let altitude = reading[Field.pressureAltitude].number else { return }
    guard let first = session.first else { return }
    reading[Field.relativeAltitude] =
      first[Field.pressureAltitude].number.map { .ok(.double(altitude - $0)) }
      ?? .noData("the first reading had no pressure")
  }

  /// Whether the altitude is that of a gps source, so that nothing is computed from a pressure.
  private func isFromGPS(_ reading: Reading) -> Bool {
    reading[Field.pressure].status == .unsupported && reading[Field.driver].value.text == "gps"
  }

  private static let notStarted = Outcome.noData("counts from the first reading after a start")

  private static func altitude(
    of pressure: Outcome, above seaLevel: Double = Barometer.standardPressure
  ) -> Outcome {
    guard let number = pressure.number else { return pressure.asMissingInput }
    let altitude = Barometer.altitude(pressure: number, seaLevel: seaLevel)
    return altitude.map { .ok(.double($0)) }
      ?? .failed("no pressure at sea level is \(seaLevel) Pa")
  }
}

/// Computes heights for the rows of a stream; those of a reading are the kind's.
private struct AltitudeRule: SensorRule {
  /// Rows with an implausible pressure have neither pressure nor height.
  func derive(_ block: inout SampleBlock) {
    let index = Altimeter.Field.pressure.rawValue
    guard case .numbers(var pressures, 1) = block.columns[index] else { return }
    for row in pressures.indices where !Altimeter.plausible.contains(pressures[row]) {
      pressures[row] = .nan
    }
    let altitudes = pressures.map { Barometer.altitude(pressure: $0) ?? .nan }
    block.columns[index] = .numbers(pressures, width: 1)
    block.columns[Altimeter.Field.pressureAltitude] = .numbers(altitudes, width: 1)
  }
}
