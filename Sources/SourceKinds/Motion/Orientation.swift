import Gathering
import Ground
import Values

/// Which edge of the screen is up, in the words and with the sign the desktop uses
/// (catalogue 4.10): y ≈ −9.81 is normal.
struct Orientation {
  static let words = ["undefined", "normal", "bottom-up", "left-up", "right-up"]
  /// The outcomes of these words.
  private static let outcomes = words.map { KeptOutcome(.ok(.string($0))) }

  private var word: String

  /// The last word; none before the first.
  init(word: String? = nil) { self.word = word ?? "undefined" }

  /// The word after another acceleration: a new one within 35° of its axis in the screen's plane,
  /// the old one otherwise, and always while the device lies within 30° of flat.
  mutating func update(_ x: Double, _ y: Double, _ z: Double) -> String {
    if let place = Self.place(x, y, z) { word = Self.words[place] }
    return word
  }

  /// Makes a property of a reading the word after another acceleration.
  static func update(
    _ reading: inout Reading, at index: Int, _ x: Double, _ y: Double, _ z: Double
  ) {
    let outcomes = outcomes
    if let place = place(x, y, z) {
      return outcomes.borrow(place) { reading.set(index, to: $0) }
    }
    for place in outcomes.indices where outcomes.borrow(place, { reading.has($0, at: index) }) {
      return
    }
    // Another's word, such as the daemon's.
    let last = reading[index].text ?? words[0]
    guard let place = words.firstIndex(of: last) else {
      return reading.set(index, to: .ok(.string(last)))
    }
    reading.set(index, to: outcomes[place])
  }

  /// Which of the words an acceleration gives; nil where the old one stays.
  private static func place(_ x: Double, _ y: Double, _ z: Double) -> Int? {
    let inPlane = (x * x + y * y).squareRoot()
    // Compared without angles: tan 30° = 1/√3, cos 35° = 0.819….
    guard inPlane.isFinite, inPlane * 3.0.squareRoot() > abs(z), inPlane > 0 else { return nil }
    let limit = 0.819_152_044_288_991_8 * inPlane
    if -y >= limit { return 1 }
    if y >= limit { return 2 }
    if x >= limit { return 3 }
    return -x >= limit ? 4 : nil
  }
}
