/// Decides between near and far by numbers that grow with closeness, with hysteresis.
struct NearLevel: Equatable, Sendable {
  /// The known threshold of near.
  enum Border: Equatable, Sendable {
    /// Near begins at a number, and ends below nine tenths of it.
    case level(Double)
    /// The sensor itself reports presence: 0 or 1.
    case presence
    /// No threshold: near cannot be determined.
    case unknown
  }

  let border: Border
  private var isNear = false

  /// The initial state is far.
  init(_ border: Border) { self.border = border }

  /// Whether something is near, after one more number; nil if that cannot be determined.
  mutating func update(_ number: Double) -> Bool? {
    switch border {
    case .level(let level): isNear = number >= level || (isNear && number >= 0.9 * level)
    case .presence: isNear = number > 0
    case .unknown: return nil
    }
    return isNear
  }
}
