import Gathering
import Values

/// Pictures of what a source measures, for terminals; kinds without one are tables alone.
enum Drawing {
  /// The lines of a source's picture within so many columns; none without its values.
  static func lines(of source: WatchedSource, columns: Int) -> [String] {
    let fields = source.selection.fields(of: source.samples)
    let value = { (key: String) in
      fields.first { $0.key == key && $0.sample.status == .ok }?.sample.value ?? .none
    }
    switch source.selection.source.kind.kind {
    case "compass":
      let heading = value("true_heading").number ?? value("magnetic_heading").number
      return heading.map { HeadingStrip.lines(heading: $0, columns: columns) } ?? []
    case "device_attitude":
      guard let attitude = value("attitude").vector?.components, attitude.count == 4 else {
        return []
      }
      return Horizon.lines(attitude: attitude, columns: columns)
    default:
      return []
    }
  }
}
