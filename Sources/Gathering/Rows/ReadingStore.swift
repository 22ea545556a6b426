import Values

/// The contents of a reading, one a property: a plain number, or else an outcome.
///
/// Copies of a reading share it until one of them is written.
final class ReadingStore: @unchecked Sendable {
  // Safe: a reading writes into it only while nothing else refers to it, and only what lies within
  // `count`, which is checked. All three places are full as long as the object lives.

  let count: Int
  private let numbers: UnsafeMutablePointer<PlainNumber>
  private let others: UnsafeMutablePointer<Outcome>
  /// The outcomes that readers keep; nil where one was set by itself.
  private let kept: UnsafeMutablePointer<KeptOutcome?>

  /// Contents of which nothing was read.
  init(count: Int) {
    self.count = count
    numbers = .allocate(capacity: max(count, 1))
    others = .allocate(capacity: max(count, 1))
    kept = .allocate(capacity: max(count, 1))
    numbers.initialize(repeating: .none, count: count)
    others.initialize(repeating: .notRead, count: count)
    kept.initialize(repeating: nil, count: count)
  }

  /// The same contents, to be written.
  init(_ other: ReadingStore) {
    count = other.count
    numbers = .allocate(capacity: max(count, 1))
    others = .allocate(capacity: max(count, 1))
    kept = .allocate(capacity: max(count, 1))
    numbers.initialize(from: other.numbers, count: count)
    others.initialize(from: other.others, count: count)
    kept.initialize(from: other.kept, count: count)
  }

  deinit {
    others.deinitialize(count: count)
    kept.deinitialize(count: count)
    numbers.deallocate()
    others.deallocate()
    kept.deallocate()
  }

  /// The plain number of a property; none where there is an outcome.
  @inline(__always)
  subscript(index: Int) -> PlainNumber {
    get {
      check(index)
      return numbers[index]
    }
    set {
      check(index)
      numbers[index] = newValue
    }
  }

  /// The outcome of a property where it lies; what it was last while there is a plain number.
  @inline(__always)
  func other(_ index: Int) -> UnsafeMutablePointer<Outcome> {
    check(index)
    return others + index
  }

  /// Whether a property has an outcome that its reader keeps, by reference.
  @inline(__always)
  func has(_ outcome: KeptOutcome, at index: Int) -> Bool {
    check(index)
    return numbers[index].isNone && kept[index] === outcome
  }

  /// The outcome of a property, if its reader keeps it.
  func kept(_ index: Int) -> KeptOutcome? {
    check(index)
    return kept[index]
  }

  /// The whole number of a property, if it is good.
  func whole(_ index: Int) -> Int64? {
    if let number = self[index].whole { return number }
    guard hasGoodOther(index), case .int(let number) = others[index].value else { return nil }
    return number
  }

  /// The number of a property as a double, if it is good.
  func number(_ index: Int) -> Double? {
    self[index].double ?? (hasGoodOther(index) ? others[index].value.number : nil)
  }

  /// The flag of a property, if it is good.
  func flag(_ index: Int) -> Bool? {
    if let flag = self[index].flag { return flag }
    guard hasGoodOther(index), case .bool(let flag) = others[index].value else { return nil }
    return flag
  }

  /// Whether a property is good, and nothing else is said about it.
  func isPlain(_ index: Int) -> Bool {
    if !self[index].isNone { return true }
    return others[index].status == .ok && !others[index].isLowAccuracy
      && others[index].stamp == nil && !others[index].isReplayed
  }

  @inline(__always)
  private func hasGoodOther(_ index: Int) -> Bool {
    numbers[index].isNone && others[index].status == .ok
  }

  /// Gives a property an outcome, which may be one that its reader keeps.
  func set(_ index: Int, to outcome: Outcome, keptAs known: KeptOutcome?) {
    check(index)
    numbers[index] = .none
    others[index] = outcome
    kept[index] = known
  }

  @inline(__always)
  private func check(_ index: Int) {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "no such property")
  }
}
