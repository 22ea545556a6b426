/// Which edge of the screen is up, in the words and with the sign the desktop uses
/// (catalogue 4.10): y ≈ −9.81 is normal.
struct Orientation {
  static let words = ["undefined", "normal", "bottom-up", "left-up", "right-up"]

  private var word: String

  /// The last word; none before the first.
  init(word: String? = nil) { self.word = word ?? "undefined" }

  /// The word after another acceleration: a new one within 35° of its axis in the screen's plane,
  /// the old one otherwise, and always while the device lies within 30° of flat.
  mutating func update(_ x: Double, _ y: Double, _ z: Double) -> String {
    let inPlane = (x * x + y * y).squareRoot()
    // Compared without angles: tan 30° = 1/√3, cos 35° = 0.819….
    guard inPlane.isFinite, inPlane * 3.0.squareRoot() > abs(z), inPlane > 0 else { return word }
    let limit = 0.819_152_044_288_991_8 * inPlane
    if -y >= limit {
      word = "normal"
    } else if y >= limit {
      word = "bottom-up"
    } else if x >= limit {
      word = "left-up"
    } else if -x >= limit {
      word = "right-up"
    }
    return word
  }
}
