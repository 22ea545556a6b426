/// Why a number cannot be converted; all of these are the caller's mistake (`invalidArgument`).
public enum UnitError: Error, Hashable {
  /// A code is not in the subset of UCUM that is understood.
  case unknownUnit(code: String, reason: String)
  /// The two codes measure different things.
  case incommensurable(from: String, to: String)
  /// `{px}` and `{pt}` convert only by a scale, a finite number above 0.
  case needsScale(from: String, to: String)
  /// The number is NaN or infinite.
  case notFinite
  /// The result is too large to be a finite number.
  case outOfRange(from: String, to: String)
}

extension UnitError: CustomStringConvertible {
  /// One plain sentence.
  public var description: String {
    switch self {
    case .unknownUnit(let code, let reason):
      "\(quoted(code)) is not a known unit: \(reason)."
    case .incommensurable(let from, let to):
      "\(quoted(from)) cannot be converted to \(quoted(to)): they measure different things."
    case .needsScale(let from, let to):
      "Converting \(quoted(from)) to \(quoted(to)) needs a scale above 0, in pixels per point."
    case .notFinite:
      "Only finite numbers can be converted."
    case .outOfRange(let from, let to):
      "The number is too large to be converted from \(quoted(from)) to \(quoted(to))."
    }
  }

  private func quoted(_ code: String) -> String {
    Array(code.utf8).quotedExcerpt
  }
}
