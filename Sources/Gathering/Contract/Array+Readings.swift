import Values

/// One property of many readings, without a copy of any of them.
extension [Reading] {
  /// The whole number of a property of the reading at a place, if it is good.
  public func whole(at index: Int, of place: Int) -> Int64? {
    let plain = plain(at: index, of: place)
    if !plain.isNone { return plain.whole }
    return lendOther(at: index, of: place) { other in
      guard other.pointee.status == .ok, case .int(let number) = other.pointee.value else {
        return nil
      }
      return number
    }
  }

  /// The number of a property of the reading at a place as a double, if it is good.
  public func number(at index: Int, of place: Int) -> Double? {
    let plain = plain(at: index, of: place)
    if !plain.isNone { return plain.double }
    return lendOther(at: index, of: place) { other in
      other.pointee.status == .ok ? other.pointee.value.number : nil
    }
  }

  /// The flag of a property of the reading at a place, if it is good.
  public func flag(at index: Int, of place: Int) -> Bool? {
    let plain = plain(at: index, of: place)
    if !plain.isNone { return plain.flag }
    return lendOther(at: index, of: place) { other in
      guard other.pointee.status == .ok, case .bool(let flag) = other.pointee.value else {
        return nil
      }
      return flag
    }
  }

  /// Whether a property of the reading at a place is good, and nothing else is said about it.
  public func isPlain(at index: Int, of place: Int) -> Bool {
    if !plain(at: index, of: place).isNone { return true }
    let isGood = lendOther(at: index, of: place) { other in
      other.pointee.status == .ok && !other.pointee.isLowAccuracy && other.pointee.stamp == nil
        && other.pointee.marks.isEmpty
    }
    return isGood ?? false
  }

  /// Whether a property of the reading at a place has a text as its payload.
  public func has(_ text: String, at index: Int, of place: Int) -> Bool {
    if !plain(at: index, of: place).isNone { return false }
    let isText = lendOther(at: index, of: place) { other in
      guard case .string(let known) = other.pointee.value else { return false }
      return known == text
    }
    return isText ?? false
  }

  /// The plain number of a property: in place, without a reference to anything.
  @inline(__always)
  func plain(at index: Int, of place: Int) -> PlainNumber {
    // Safe: the place is one of the list, which lives while the body runs.
    withUnsafeBufferPointer { readings in
      guard let first = readings.baseAddress, readings.indices.contains(place) else { return .none }
      return first[place].store.numbers[index]
    }
  }

  /// The outcome of a property, if its reader keeps it.
  @inline(__always)
  func kept(at index: Int, of place: Int) -> KeptOutcome? {
    withUnsafeBufferPointer { readings in
      guard let first = readings.baseAddress, readings.indices.contains(place) else { return nil }
      return first[place].store.numbers[index].isNone ? first[place].store.kept[index] : nil
    }
  }

  /// Lends the outcome of a property that is no plain number, where it lies; nil if there is none.
  @inline(__always)
  func lendOther<Answer>(
    at index: Int, of place: Int, _ body: (UnsafePointer<Outcome>) -> Answer?
  ) -> Answer? {
    // Safe: both lists live while the body runs.
    withUnsafeBufferPointer { readings in
      guard let first = readings.baseAddress, readings.indices.contains(place) else { return nil }
      return first[place].store.others.withUnsafeBufferPointer { others in
        guard let start = others.baseAddress, others.indices.contains(index) else { return nil }
        return body(start + index)
      }
    }
  }
}
