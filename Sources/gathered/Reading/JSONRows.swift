import Gathering
import Values

extension [Value] {
  /// The values as one JSON array, a line each.
  func jsonRows() throws -> String {
    if isEmpty { return "[]\n" }
    return "[\n" + (try map { try $0.json() }.joined(separator: ",\n")) + "\n]\n"
  }
}
