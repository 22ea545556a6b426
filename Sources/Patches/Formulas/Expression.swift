import Glibc

/// A formula, ready to be computed; computing never fails and never traps.
struct Expression: Sendable {
  /// An operand of a formula.
  enum Number: Sendable, Equatable {
    case real(Double)
    case truth(Bool)

    var real: Double {
      switch self {
      case .real(let real): real
      case .truth(let truth): truth ? 1 : 0
      }
    }

    /// Zero and NaN are false.
    var truth: Bool {
      switch self {
      case .real(let real): real != 0 && !real.isNaN
      case .truth(let truth): truth
      }
    }
  }

  /// An error in a text, with its column, counted from 1.
  struct Fault: Error, Equatable {
    let column: Int
    let reason: String
  }

  indirect enum Node: Sendable {
    case constant(Number)
    case a
    case b
    case negate(Node)
    case not(Node)
    case both(Operation, Node, Node)
    case choose(Node, Node, Node)
    case call(@Sendable (Double) -> Double, Node)
    case callBoth(@Sendable (Double, Double) -> Double, Node, Node)
  }

  enum Operation: Sendable {
    case add, subtract, multiply, divide, remainder, power
    case less, lessOrEqual, greater, greaterOrEqual, equal, unequal
    case and, or
  }

  /// Which of `a` and `b` it names.
  let names: Set<String>
  private let root: Node

  /// Reads a formula.
  init(_ text: String) throws(Fault) {
    var parser = ExpressionParser(text)
    root = try parser.formula()
    names = parser.names
  }

  /// The value of the formula for two numbers.
  func value(a: Number, b: Number) -> Number { Self.value(root, a, b) }

  private static func value(_ node: Node, _ a: Number, _ b: Number) -> Number {
    switch node {
    case .constant(let number): number
    case .a: a
    case .b: b
    case .negate(let inner): .real(-value(inner, a, b).real)
    case .not(let inner): .truth(!value(inner, a, b).truth)
    case .both(let operation, let left, let right):
      apply(operation, value(left, a, b), value(right, a, b))
    case .choose(let test, let first, let second):
      value(test, a, b).truth ? value(first, a, b) : value(second, a, b)
    case .call(let function, let inner): .real(function(value(inner, a, b).real))
    case .callBoth(let function, let left, let right):
      .real(function(value(left, a, b).real, value(right, a, b).real))
    }
  }

  private static func apply(_ operation: Operation, _ left: Number, _ right: Number) -> Number {
    switch operation {
    case .add: .real(left.real + right.real)
    case .subtract: .real(left.real - right.real)
    case .multiply: .real(left.real * right.real)
    case .divide: .real(left.real / right.real)
    case .remainder: .real(fmod(left.real, right.real))
    case .power: .real(pow(left.real, right.real))
    case .less: .truth(left.real < right.real)
    case .lessOrEqual: .truth(left.real <= right.real)
    case .greater: .truth(left.real > right.real)
    case .greaterOrEqual: .truth(left.real >= right.real)
    case .equal: .truth(left.real == right.real)
    case .unequal: .truth(left.real != right.real)
    case .and: .truth(left.truth && right.truth)
    case .or: .truth(left.truth || right.truth)
    }
  }

  /// The functions of one number.
  static let functions: [String: @Sendable (Double) -> Double] = [
    "abs": { abs($0) }, "sqrt": { $0.squareRoot() }, "cbrt": { cbrt($0) },
    "exp": { exp($0) }, "log": { log($0) }, "ln": { log($0) }, "log2": { log2($0) },
    "log10": { log10($0) }, "sin": { sin($0) }, "cos": { cos($0) }, "tan": { tan($0) },
    "asin": { asin($0) }, "acos": { acos($0) }, "atan": { atan($0) }, "sinh": { sinh($0) },
    "cosh": { cosh($0) }, "tanh": { tanh($0) }, "floor": { $0.rounded(.down) },
    "ceil": { $0.rounded(.up) }, "round": { $0.rounded() }, "trunc": { $0.rounded(.towardZero) },
    "sign": { $0 > 0 ? 1 : ($0 < 0 ? -1 : $0) },
  ]

  /// The functions of two numbers.
  static let pairFunctions: [String: @Sendable (Double, Double) -> Double] = [
    "min": { fmin($0, $1) }, "max": { fmax($0, $1) }, "pow": { pow($0, $1) },
    "atan2": { atan2($0, $1) }, "hypot": { hypot($0, $1) }, "mod": { fmod($0, $1) },
  ]

  static let constants: [String: Number] = [
    "pi": .real(.pi), "e": .real(M_E), "true": .truth(true), "false": .truth(false),
  ]
}
