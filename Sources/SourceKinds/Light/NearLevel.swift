/// Tells near from far by numbers that grow with closeness, without flickering at the border.
struct NearLevel: Equatable, Sendable {
  /// What is known of where near begins.
  enum Border: Equatable, Sendable {
    /// Near begins at a number, and ends below nine tenths of it.
    case level(Double)
    /// The sensor itself tells presence: 0 or 1.
    case presence
    /// Nothing: near cannot be told.
    case unknown
  }

  let border: Border
  private var isNear = false

  /// Tells far to begin with.
  init(_ border: Border) { self.border = border }

  /// Whether something is near, after one more number; nil if that cannot be told.
  mutating func update(_ number: Double) -> Bool? {
    switch border {
    case .level(let level): isNear = number >= level || (isNear && number >= 0.9 * level)
    case .presence: isNear = number > 0
    case .unknown: return nil
    }
    return isNear
  }
}
