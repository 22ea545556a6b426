import Gathering
import Machine

extension Instance {
  /// What stands in for a sensor the machine has not: a gps source, if one updates.
  static func gpsFallback(on machine: Machine) -> Instance? {
    guard PresentPosition.isPossible(on: machine) else { return nil }
    let isHeard = PresentPosition(on: machine).isHeard
    let availability: Availability =
      isHeard ? .ready("gps") : .noGPSUpdating
    return Instance("gps", label: "GPS", availability: availability, path: "gps")
  }

  /// Whether it is one that stands in.
  var isGPSFallback: Bool { path == "gps" }
}

extension Discovery {
  /// The same list or, where it is empty, what stands in.
  func orGPSFallback(on machine: Machine) -> Discovery {
    guard instances.isEmpty, let fallback = Instance.gpsFallback(on: machine) else { return self }
    return Discovery([fallback], orElse: absence)
  }
}

extension Availability {
  fileprivate static let noGPSUpdating = Availability(
    .searching, backend: "gps", detail: "no gps source is updating",
    remedy: "start a gps source in this context")
}

extension PresentPosition {
  /// What a gps source may come from, and whoever looks for one hears of.
  static let topics: [ChangeTopic] = [
    PositionTopic.list, .bus(GeoClueDaemon.service), .bus(ModemDaemon.service),
  ]
}

/// Reads the height of an updating gps source as an altimeter's (catalogue 4.3).
final class PositionAltitudeReader: InstanceReader {
  private typealias Field = Altimeter.Field
  private let position: PresentPosition

  init(on machine: Machine) { position = PresentPosition(on: machine) }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    for index in reading.outcomes.indices {
      reading[index] = .unsupported("a gps source tells the altitude only")
    }
    reading[Field.altitude] =
      position.reading()?[GPS.Field.altitudeMsl] ?? .noData("no gps source is updating")
    reading[Field.acquisition] = .ok(.string("service"))
    reading[Field.driver] = .ok(.string("gps"))
    reading[Field.location] = .ok(.string("unknown"))
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { nil }
}

/// Reads the course of an updating gps source as a compass's, while it moves (catalogue 4.7).
final class CourseReader: InstanceReader {
  private typealias Field = Compass.Field
  /// Metres a second below which a course says nothing of where the device points.
  private static let pace = 1.0
  private let position: PresentPosition

  init(on machine: Machine) { position = PresentPosition(on: machine) }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    let gps = position.reading()
    let course = Self.course(in: gps)
    reading[Field.trueHeading] = course
    reading[Field.declination] =
      position.declination().map { .ok(.double($0)) } ?? HeadingTable.noDeclination
    reading[Field.accuracy] =
      course.status == .ok
      ? gps?[GPS.Field.courseAccuracy] ?? .noData("the receiver does not tell")
      : .noData("there is no course")
    reading[Field.method] = .ok(.string("course"))
  }

  private static func course(in gps: Reading?) -> Outcome {
    guard let gps else { return .noData("no gps source is updating") }
    let course = gps[GPS.Field.course]
    guard course.status == .ok else { return course }
    guard let speed = gps[GPS.Field.speed].number, speed > pace else {
      return .noData("the course counts while moving faster than 1 m/s only")
    }
    return course
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { nil }
}
