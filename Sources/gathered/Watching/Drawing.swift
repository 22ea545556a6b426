import Gathering
import Values

/// Drawings of a source's values, for terminals; kinds without one have a table only.
enum Drawing {
  /// The lines of a source's drawing within a number of columns; none without its values.
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
