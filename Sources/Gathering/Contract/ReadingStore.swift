public import Values

/// The contents of a reading, one a property: a plain number, or else an outcome.
@usableFromInline
struct ReadingStore: Sendable {
  /// The plain numbers; none where there is an outcome.
  private(set) var numbers: [PlainNumber]
  /// The outcomes; what they were last where there is a plain number.
  private(set) var others: [Outcome]
  /// The outcomes that readers keep; nil where one was set by itself.
  private(set) var kept: [KeptOutcome?]
  /// The properties written since the reading began, a bit each: all where that is not known. Means
  /// nothing where there are more properties than bits.
  private(set) var written = UInt64.max

  /// Contents of which nothing was read.
  init(count: Int) {
    numbers = [PlainNumber](repeating: .none, count: count)
    others = [Outcome](repeating: .notRead, count: count)
    kept = [KeptOutcome?](repeating: nil, count: count)
  }

  var count: Int { numbers.count }

  /// Gives a property a plain number.
  @inline(__always)
  mutating func set(_ index: Int, to number: PlainNumber) {
    if numbers[index].isSame(as: number) { return }
    numbers[index] = number
    note(index)
  }

  /// Gives properties plain numbers, one each, but where a number is below zero.
  @_optimize(speed)
  mutating func set(_ indices: [Int], toSizes sizes: [Int64]) {
    for place in 0..<min(indices.count, sizes.count) where sizes[place] >= 0 {
      set(indices[place], to: PlainNumber(sizes[place]))
    }
  }

  /// A reading begins: so far nothing is written.
  mutating func begin() { written = 0 }

  @inline(__always)
  private mutating func note(_ index: Int) {
    written |= 1 &<< UInt64(truncatingIfNeeded: index)
  }

  /// Gives a property an outcome, which may be one that its reader keeps.
  mutating func set(_ index: Int, to outcome: Outcome, keptAs known: KeptOutcome?) {
    numbers[index] = .none
    others[index] = outcome
    kept[index] = known
    note(index)
  }

  /// Gives a property a vector: where it had one, nothing but the numbers is written.
  mutating func set(_ index: Int, to vector: Vector) {
    guard numbers[index].isNone, kept[index] == nil, others.has(plainVectorAt: index) else {
      return set(index, to: .ok(.vector(vector)), keptAs: nil)
    }
    others[index].value = .vector(vector)
    note(index)
  }

  /// Whether a property has an outcome that its reader keeps, by reference.
  @usableFromInline
  func has(_ outcome: KeptOutcome, at index: Int) -> Bool {
    numbers[index].isNone && kept[index] === outcome
  }

  /// Whether a property is this number, and nothing else is said about it.
  @usableFromInline
  func has(_ number: Double, at index: Int) -> Bool {
    numbers[index].isSame(as: PlainNumber(number))
  }

  /// The outcome of a property.
  @usableFromInline
  func outcome(_ index: Int) -> Outcome { numbers[index].outcome ?? others[index] }

  /// How a property came out.
  @usableFromInline
  func status(_ index: Int) -> ValueStatus { numbers[index].isNone ? others[index].status : .ok }

  /// Why a property has no payload; nil if it has one.
  @usableFromInline
  func absence(_ index: Int) -> Absence? { numbers[index].isNone ? others[index].absence : nil }

  /// The whole number of a property, if it is good.
  @usableFromInline
  func whole(_ index: Int) -> Int64? {
    if let number = numbers[index].whole { return number }
    guard hasGoodOther(index), case .int(let number) = others[index].value else { return nil }
    return number
  }

  /// The number of a property as a double, if it is good.
  @usableFromInline
  func number(_ index: Int) -> Double? {
    numbers[index].double ?? (hasGoodOther(index) ? others[index].value.number : nil)
  }

  /// The flag of a property, if it is good.
  @usableFromInline
  func flag(_ index: Int) -> Bool? {
    if let flag = numbers[index].flag { return flag }
    guard hasGoodOther(index), case .bool(let flag) = others[index].value else { return nil }
    return flag
  }

  /// The vector of a property, if it is good.
  @usableFromInline
  func vector(_ index: Int) -> Vector? {
    guard hasGoodOther(index), case .vector(let vector) = others[index].value else { return nil }
    return vector
  }

  /// Whether a property is good, and nothing else is said about it.
  @usableFromInline
  func isPlain(_ index: Int) -> Bool {
    if !numbers[index].isNone { return true }
    return others[index].status == .ok && !others[index].isLowAccuracy
      && others[index].stamp == nil && others[index].marks.isEmpty
  }

  private func hasGoodOther(_ index: Int) -> Bool {
    numbers[index].isNone && others[index].status == .ok
  }
}

extension [Outcome] {
  /// Whether the outcome at an index is a good vector, about which nothing else is said.
  @inline(__always)
  fileprivate func has(plainVectorAt index: Int) -> Bool {
    guard self[index].status == .ok, !self[index].isLowAccuracy, self[index].absence == nil,
      self[index].stamp == nil, self[index].stampOrigin == .kernel, self[index].marks.isEmpty,
      case .vector = self[index].value
    else { return false }
    return true
  }
}
