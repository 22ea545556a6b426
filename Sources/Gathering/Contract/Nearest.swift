import Values

/// Offers the names a mistyped one may have meant.
public enum Nearest {
  /// `no kind "batery"; did you mean battery?`, or all names if none is near.
  public static func sentence(to name: String, among names: [String], what: String) -> String {
    let near = names.map { (distance(name, $0), $0) }
      .filter { $0.0 <= max(2, name.utf8.count / 3) }
      .sorted { $0.0 < $1.0 }.prefix(3).map(\.1)
    let excerpt = Array(name.utf8).quotedExcerpt
    if near.isEmpty {
      return "no \(what) \(excerpt); there are \(names.joined(separator: ", "))"
    }
    return "no \(what) \(excerpt); did you mean \(near.joined(separator: " or "))?"
  }

  /// The one name that is most like a mistyped one; nil if none is near.
  public static func name(to name: String, among names: some Sequence<String>) -> String? {
    names.map { (distance(name, $0), $0) }
      .filter { $0.0 <= max(2, name.utf8.count / 3) }
      .min { $0.0 < $1.0 }?.1
  }

  /// The number of single-byte edits between two texts, of which at most 64 bytes count.
  private static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left.utf8.prefix(64))
    let right = Array(right.utf8.prefix(64))
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let substituted = diagonal + (a == b ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[right.count]
  }
}
