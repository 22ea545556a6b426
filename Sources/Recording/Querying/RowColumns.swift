import DataSources
import Gathering
import Values

/// A row with columns for conditions (data sources L18).
protocol ColumnedRow {
  /// The value of a column, `.none` where it has none.
  func value(of column: String) -> Value
}

extension ValueDictionary: ColumnedRow {
  func value(of column: String) -> Value { self[column] ?? Value.none }
}

extension RecordedRow: ColumnedRow {
  func value(of column: String) -> Value {
    if column == "source" { return .string(series.name) }
    if column == "time" { return .time(time) }
    if let place = series.members.firstIndex(where: column.isSpelt) {
      return sample(at: place).value
    }
    guard column.hasSuffix(".status") else { return .none }
    let key = column.utf8.dropLast(".status".utf8.count)
    let place = series.members.firstIndex { $0.utf8.elementsEqual(key) }
    return place.map { .string(sample(at: $0).status.word) } ?? .none
  }
}

extension QueriedSeries {
  /// Whether its rows, or their summaries by interval, have a column.
  func hasColumn(_ name: String, inIntervals: Bool) -> Bool {
    if ["source", "time"].contains(name) || (inIntervals && name == "rows") { return true }
    let endings = inIntervals ? ["", ".min", ".max", ".mean", ".status"] : ["", ".status"]
    return members.contains { member in endings.contains { name.isSpelt(member + $0) } }
  }
}

extension Predicate {
  /// The columns of the condition. Throws `illegalArgument` for nesting over 100 deep.
  func columns(depth: Int = 0) throws(DataSourceError) -> [String] {
    if depth > 100 { throw DataSourceError(.illegalArgument, "a condition is nested too deep") }
    switch self {
    case .compare(let name, _, _), .isIn(let name, _), .isNull(let name): return [name]
    case .not(let part): return try part.columns(depth: depth + 1)
    case .and(let parts), .or(let parts):
      var names: [String] = []
      for part in parts { names += try part.columns(depth: depth + 1) }
      return names
    }
  }

  /// Whether it holds for a row. A column that is null compares with nothing.
  func holds(for row: some ColumnedRow) -> Bool {
    switch self {
    case .compare(let name, let comparison, let operand):
      comparison.holds(row.value(of: name), operand)
    case .isIn(let name, let operands):
      { value in operands.contains { Comparison.equal.holds(value, $0) } }(row.value(of: name))
    case .isNull(let name): row.value(of: name) == Value.none
    case .and(let parts): parts.allSatisfy { $0.holds(for: row) }
    case .or(let parts): parts.contains { $0.holds(for: row) }
    case .not(let part): !part.holds(for: row)
    }
  }

  /// The times it can hold for, nil for any; an empty list where it cannot.
  var times: [ClosedRange<Int64>]? {
    switch self {
    case .compare("time", let comparison, .time(let moment)),
      .compare("time", let comparison, .int(let moment)):
      switch comparison {
      case .equal: return [moment...moment]
      case .notEqual: return nil
      case .less: return moment == .min ? [] : [.min...moment - 1]
      case .lessOrEqual: return [.min...moment]
      case .greater: return moment == .max ? [] : [moment + 1 ... .max]
      case .greaterOrEqual: return [moment ... .max]
      }
    case .and(let parts):
      return parts.compactMap(\.times).reduce(nil) { common, next in
        guard let common else { return next }
        guard let left = common.first, let right = next.first, left.overlaps(right) else {
          return []
        }
        return [left.clamped(to: right)]
      }
    default: return nil
    }
  }

  /// The series it can hold for, nil for any.
  var sources: [EntryID]? {
    switch self {
    case .compare("source", .equal, .string(let name)): return [EntryID(name)]
    case .isIn("source", let operands):
      return operands.compactMap { if case .string(let name) = $0 { EntryID(name) } else { nil } }
    case .and(let parts):
      return parts.compactMap(\.sources).reduce(nil) { common, next in
        common?.filter(next.contains) ?? next
      }
    default: return nil
    }
  }
}

extension Comparison {
  /// Whether the comparison of a value with the operand holds.
  func holds(_ value: Value, _ operand: ColumnValue) -> Bool {
    if value == Value.none || operand == .null { return false }
    let order = value.order(besides: Value(operand))
    return switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order.map { $0 < 0 } ?? false
    case .lessOrEqual: order.map { $0 <= 0 } ?? false
    case .greater: order.map { $0 > 0 } ?? false
    case .greaterOrEqual: order.map { $0 >= 0 } ?? false
    }
  }
}

extension Value {
  /// Negative, 0 or positive, as this is less than, equal to or greater than the other; nil for
  /// values that cannot be compared.
  fileprivate func order(besides other: Value) -> Int? {
    switch (self, other) {
    case (.bool(let left), .bool(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
    case (.string(let left), .string(let right)):
      return order(Array(left.utf8), Array(right.utf8))
    case (.bytes(let left), .bytes(let right)): return order(left, right)
    default: break
    }
    if let left = wholeNumber, let right = other.wholeNumber {
      return left == right ? 0 : left < right ? -1 : 1
    }
    guard let left = realNumber, let right = other.realNumber, !left.isNaN, !right.isNaN else {
      return nil
    }
    return left == right ? 0 : left < right ? -1 : 1
  }

  private func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
    left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
  }

  private var wholeNumber: Int64? {
    switch self {
    case .int(let number), .time(let number): number
    default: nil
    }
  }

  private var realNumber: Double? {
    if case .time(let moment) = self { Double(moment) } else { number }
  }

  /// Which comes first where values of several types meet: nothing, truths, numbers, texts, bytes,
  /// all others.
  fileprivate var rank: Int {
    switch self {
    case .none: 0
    case .bool: 1
    case .int, .time: 2
    case .double(let number): number.isNaN ? 6 : 2
    case .string: 3
    case .bytes: 4
    default: 5
    }
  }
}

extension [Order] {
  /// Whether a row comes before another, by the values of these columns; nil if neither does.
  func areRising(_ left: [Value], _ right: [Value]) -> Bool? {
    for (place, order) in enumerated() {
      let (one, other) = (left[place], right[place])
      let difference =
        one.rank == other.rank ? one.order(besides: other) ?? 0 : one.rank - other.rank
      if difference != 0 { return (difference < 0) != order.isDescending }
    }
    return nil
  }
}
