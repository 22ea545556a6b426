/// Tells near from far by a number that grows with closeness, without flickering at the border.
///
/// Near begins at the level and ends below nine tenths of it. A sensor that only knows presence
/// says 0 or 1 itself.
struct NearLevel: Equatable, Sendable {
  /// Where near begins; nil for presence, which is any number above 0.
  let level: Double?
  private(set) var isNear = false

  /// Tells far to begin with.
  init(_ level: Double?) { self.level = level }

  /// Whether something is near, after one more number.
  mutating func hears(_ number: Double) -> Bool {
    if let level {
      isNear = number >= level || (isNear && number >= 0.9 * level)
    } else {
      isNear = number > 0
    }
    return isNear
  }
}
