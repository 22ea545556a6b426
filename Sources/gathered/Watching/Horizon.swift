/// An artificial horizon, as seen by a person who looks along the screen in the direction of its
/// upper edge.
enum Horizon {
  private static let rows = 9
  private static let columns = 33

  /// The picture for an attitude, body to east-north-up, as w, x, y, z.
  static func lines(attitude: [Double], columns room: Int) -> [String] {
    guard room >= columns + 2 else { return [] }
    let (w, x, y, z) = (attitude[0], attitude[1], attitude[2], attitude[3])
    // Where up is along the axes of the device.
    let up = (x: 2 * (x * z - w * y), y: 2 * (y * z + w * x), z: 1 - 2 * (x * x + y * y))
    let rule = "+" + String(repeating: "-", count: columns) + "+"
    let picture = (0..<rows).map { row in
      let height = Double(rows / 2 - row) / Double(rows / 2) * reach
      let line = (0..<columns).map { column -> Character in
        if row == rows / 2, let mark = mark(at: column) { return mark }
        // A character is about twice as high as wide.
        let aside = Double(column - columns / 2) / Double(rows / 2) / 2 * reach
        return aside * up.x + up.y + height * up.z < 0 ? ":" : " "
      }
      return "|" + String(line) + "|"
    }
    return [rule] + picture + [rule]
  }

  /// The tangent of the angle to the upper edge: 60°.
  private static let reach = 3.0.squareRoot()

  /// The device itself, in the middle.
  private static func mark(at column: Int) -> Character? {
    switch abs(column - columns / 2) {
    case 0: "o"
    case 2, 3: "-"
    default: nil
    }
  }
}
