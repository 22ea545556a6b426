import Values

/// The operators that combine one or two values (streams 2.4): they never trap, and operands of
/// wrong types give NONE.
enum Combination: String, CaseIterable, Sendable {
  case plus = "+"
  case minus = "-"
  case times = "*"
  case over = "/"
  case remainder = "%"
  case minimum = "min"
  case maximum = "max"
  case equal = "=="
  case unequal = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case and = "&&"
  case or = "||"
  case not = "!"
  case squareRoot = "sqrt"

  /// Of how many values it can be made.
  var counts: ClosedRange<Int> {
    switch self {
    case .minus: 1...2
    case .not, .squareRoot: 1...1
    default: 2...2
    }
  }

  /// The values it makes, in one line.
  var summary: String {
    switch self {
    case .plus: "the sum of two numbers"
    case .minus: "the difference of two numbers, or the opposite of one"
    case .times: "the product of two numbers"
    case .over: "the quotient of two numbers; a whole number divided by 0 is 0"
    case .remainder: "the remainder of a division; of a whole number divided by 0 it is 0"
    case .minimum: "the smaller of two numbers"
    case .maximum: "the larger of two numbers"
    case .equal: "whether two values are equal"
    case .unequal: "whether two values differ"
    case .less: "whether the first of two numbers or strings is less than the second"
    case .lessOrEqual: "whether the first of two numbers or strings is not more than the second"
    case .greater: "whether the first of two numbers or strings is more than the second"
    case .greaterOrEqual: "whether the first of two numbers or strings is not less than the second"
    case .and: "whether two booleans are both true"
    case .or: "whether at least one of two booleans is true"
    case .not: "whether a boolean is false"
    case .squareRoot: "the square root of a number"
    }
  }

  /// The result for as many values as `counts` allows.
  func result(of values: [Value]) -> Value {
    guard let left = values.first, let right = values.last else { return .none }
    return values.count == 1 ? result(of: left) : result(of: left, right)
  }

  private func result(of value: Value) -> Value {
    switch (self, value) {
    case (.minus, .int(let number)): .int(0 &- number)
    case (.minus, .double(let number)): .double(-number)
    case (.not, .bool(let flag)): .bool(!flag)
    case (.squareRoot, _): value.number.map { .double($0.squareRoot()) } ?? .none
    default: .none
    }
  }

  /// The result for two values.
  func result(of left: Value, _ right: Value) -> Value {
    switch (self, left, right) {
    case (.equal, _, _): return .bool(left == right)
    case (.unequal, _, _): return .bool(left != right)
    case (.and, .bool(let left), .bool(let right)): return .bool(left && right)
    case (.or, .bool(let left), .bool(let right)): return .bool(left || right)
    case (_, .int(let left), .int(let right)): return result(of: left, right)
    case (_, .string(let left), .string(let right)): return order(of: left, right)
    default: break
    }
    guard let left = left.number, let right = right.number else { return .none }
    return result(of: left, right)
  }

  private func result(of left: Int64, _ right: Int64) -> Value {
    switch self {
    case .plus: .int(left &+ right)
    case .minus: .int(left &- right)
    case .times: .int(left &* right)
    case .over: .int(right == 0 ? 0 : left.dividedReportingOverflow(by: right).partialValue)
    case .remainder:
      .int(right == 0 ? 0 : left.remainderReportingOverflow(dividingBy: right).partialValue)
    case .minimum: .int(min(left, right))
    case .maximum: .int(max(left, right))
    default: compared(left, right)
    }
  }

  private func result(of left: Double, _ right: Double) -> Value {
    switch self {
    case .plus: .double(left + right)
    case .minus: .double(left - right)
    case .times: .double(left * right)
    case .over: .double(left / right)
    case .remainder: .double(left.truncatingRemainder(dividingBy: right))
    case .minimum: .double(min(left, right))
    case .maximum: .double(max(left, right))
    default: compared(left, right)
    }
  }

  private func compared<Number: Comparable>(_ left: Number, _ right: Number) -> Value {
    switch self {
    case .less: .bool(left < right)
    case .lessOrEqual: .bool(left <= right)
    case .greater: .bool(left > right)
    case .greaterOrEqual: .bool(left >= right)
    default: .none
    }
  }

  /// Texts are ordered by their bytes.
  private func order(of left: String, _ right: String) -> Value {
    let isLess = left.utf8.lexicographicallyPrecedes(right.utf8)
    let isGreater = right.utf8.lexicographicallyPrecedes(left.utf8)
    return compared(isLess ? -1 : (isGreater ? 1 : 0), 0)
  }
}
