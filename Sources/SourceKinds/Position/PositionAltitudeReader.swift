import Gathering
import Machine
import Values

/// Reads the height of an updating gps source as an altimeter's (catalogue 4.3).
final class PositionAltitudeReader: InstanceReader {
  private typealias Field = Altimeter.Field
  private let position: PresentPosition

  init(on machine: Machine) { position = PresentPosition(on: machine) }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    for index in reading.indices {
      reading[index] = .unsupported("a gps source reports the altitude only")
    }
    reading[Field.altitude] =
      position.reading()?[GPSField.altitudeMsl] ?? .noData("no gps source is updating")
    reading[Field.acquisition] = .ok(.string("service"))
    reading[Field.driver] = .ok(.string("gps"))
    reading[Field.location] = .ok(.string("unknown"))
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { nil }
}
