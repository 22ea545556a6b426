public import Ground
import Streams

/// What a strategy thinks of a value (data sources L50).
public enum Verdict: Sendable {
  /// It may be used.
  case valid
  /// It may not.
  case invalid
  /// Others may decide.
  case unknown
}

/// When a value was brought up to date, on the clock of the strategy that asks.
public enum LastUpdate: Sendable {
  /// At this moment.
  case at(Moment)
  /// Never so far.
  case never
  /// Not known.
  case unknown
}

/// One way to tell whether what comes from a cache may be used (data sources L50).
public struct ValidationStrategy<Value: Sendable>: Sendable {
  let judge: @Sendable (Value) -> Verdict

  /// A strategy of one's own.
  public init(_ judge: @escaping @Sendable (Value) -> Verdict) { self.judge = judge }

  /// Younger than the limit is valid, exactly the limit or older is not; never updated is invalid,
  /// and an unknown last update is unknown.
  public static func age(
    below limit: Duration, clock: any Clock, of date: @escaping @Sendable (Value) -> LastUpdate
  ) -> ValidationStrategy {
    ValidationStrategy { value in
      switch date(value) {
      case .at(let moment): clock.now - moment < limit ? .valid : .invalid
      case .never: .invalid
      case .unknown: .unknown
      }
    }
  }

  /// What is marked is invalid; others may decide about the rest.
  public static func flag(
    isMarked: @escaping @Sendable (Value) -> Bool
  ) -> ValidationStrategy {
    ValidationStrategy { isMarked($0) ? .invalid : .unknown }
  }

  /// While offline everything is valid; others may decide when online.
  public static func reachability(
    isOnline: @escaping @Sendable () -> Bool
  ) -> ValidationStrategy {
    ValidationStrategy { _ in isOnline() ? .unknown : .valid }
  }
}

/// Whether what comes from the cache of a repository may be used (data sources L50).
///
/// A list is valid when all its elements are; an empty one unless told otherwise.
public struct Validation<Value: Sendable>: Sendable {
  package let check: Check<Value>

  /// Everything is valid.
  public static var none: Validation { Validation { _ in true } }

  /// A function decides; what it throws makes the value invalid.
  public init(
    emptyListIsValid: Bool = true, _ isValid: @escaping @Sendable (Value) throws -> Bool
  ) {
    check = Check(emptyListIsValid: emptyListIsValid, isValid)
  }

  /// The first strategy that knows decides; if none does, `otherwise`, where unknown is invalid.
  public init(
    _ strategies: [ValidationStrategy<Value>], otherwise: Verdict = .invalid,
    emptyListIsValid: Bool = true
  ) {
    self.init(emptyListIsValid: emptyListIsValid) { value in
      for strategy in strategies {
        switch strategy.judge(value) {
        case .valid: return true
        case .invalid: return false
        case .unknown: continue
        }
      }
      return otherwise == .valid
    }
  }
}
