/// A band of the horizon with its points of the compass, as a person who looks ahead sees it pass.
enum HeadingStrip {
  /// Two lines: the 180 degrees around a heading, and a pointer at it.
  static func lines(heading: Double, columns: Int) -> [String] {
    // An odd width has a middle.
    let width = (min(columns, 61) - 3) / 2 * 2 + 1
    guard width >= 21, heading.isFinite else { return [] }
    var band = [Character](repeating: " ", count: width)
    for mark in stride(from: 0, to: 360, by: 15) {
      let away = Self.turn(from: heading, to: Double(mark))
      let place = width / 2 + Int((away / 180 * Double(width)).rounded())
      let label = mark % 45 == 0 ? Array(points[mark / 45]) : ["."]
      for (index, character) in label.enumerated() where band.indices.contains(place + index) {
        band[place + index] = character
      }
    }
    let number = Int(heading.rounded()) % 360
    let pointer = String(repeating: " ", count: width / 2 + 1) + "^ \(number)°"
    return ["|" + String(band) + "|", pointer]
  }

  private static let points = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"]

  /// The shorter way from one direction to another in degrees: −180 to 180, clockwise positive.
  private static func turn(from heading: Double, to mark: Double) -> Double {
    (mark - heading).remainder(dividingBy: 360)
  }
}
