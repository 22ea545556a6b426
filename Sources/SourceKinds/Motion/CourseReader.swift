import Gathering
import Machine
import Values

/// Reads the course of an updating gps source as a compass's, while it moves (catalogue 4.7).
final class CourseReader: InstanceReader {
  private typealias Field = Compass.Field
  /// The speed in m/s below which a course does not show the direction of the device.
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
      ? gps?[GPSField.courseAccuracy] ?? .noData("the receiver does not report it")
      : .noData("there is no course")
    reading[Field.method] = .ok(.string("course"))
  }

  private static func course(in gps: Reading?) -> Outcome {
    guard let gps else { return .noData("no gps source is updating") }
    let course = gps[GPSField.course]
    guard course.status == .ok else { return course }
    guard let speed = gps[GPSField.speed].number, speed > pace else {
      return .noData("the course counts while moving faster than 1 m/s only")
    }
    return course
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { nil }
}
