/// What makes one stream of any number of streams, whatever their values are.
enum Merging: String, CaseIterable, Sendable {
  case merge, combine

  /// The values it sends, in one line.
  var summary: String {
    switch self {
    case .merge: "every value of each, in one order"
    case .combine: "a list of the newest value of each"
    }
  }
}
