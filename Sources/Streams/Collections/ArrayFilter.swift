extension ObservableArray {
  /// The elements that satisfy a condition, in their order.
  ///
  /// While it is observed, `isIncluded` is called once for each element that is put in.
  public func filter(_ isIncluded: @escaping @Sendable (Element) -> Bool) -> ArrayView<Element> {
    compactMap { isIncluded($0) ? $0 : nil }
  }

  /// The results of a function for the elements it has one for, in their order.
  ///
  /// While it is observed, `function` is called once for each element that is put in.
  public func compactMap<Result: Sendable>(
    _ function: @escaping @Sendable (Element) -> Result?
  ) -> ArrayView<Result> {
    ArrayCompactMap(function: function).following(moments)
  }
}

private struct ArrayCompactMap<Input: Sendable, Output: Sendable>: ArrayFollowing {
  let function: @Sendable (Input) -> Output?
  private var shown = ShownElements()

  init(function: @escaping @Sendable (Input) -> Output?) {
    self.function = function
  }

  mutating func start(from input: SharedList<Input>) -> [Output] {
    let results = input.elements.map(function)
    shown = ShownElements(results.map { $0 != nil })
    return results.compactMap { $0 }
  }

  mutating func follow(
    _ change: ArrayChange<Input>, _ output: SharedList<Output>
  ) -> ArrayChange<Output>? {
    var result = ArrayChange<Output>(count: output.count)
    var shift = 0
    for modification in change.modifications {
      let results = modification.new.map(function)
      let step = shown.replace(modification.formerRange, with: results, in: output, shift)
      result.append(step)
      shift += step.old.count - step.new.count
    }
    return result
  }
}

/// Which elements of a list are in one that is made of some of them.
struct ShownElements: Sendable {
  private var flags = ListTree<Trues>()

  init(_ areShown: [Bool] = []) { flags = ListTree(areShown) }

  /// Whether the element at an index is in the other list.
  subscript(index: Int) -> Bool { flags[index] }

  /// Notes what is in the place of a range now, nil for what is not shown, and says what becomes of
  /// `output`, whose elements are found at so many indices behind where they are now.
  mutating func replace<Output>(
    _ range: Range<Int>, with results: [Output?], in output: SharedList<Output>, _ shift: Int = 0
  ) -> ArrayModification<Output> {
    let at = flags.weight(before: range.lowerBound)
    let count = flags.weight(before: range.upperBound) - at
    // What was there is remembered, not computed again.
    let old = output[(at + shift)..<(at + shift + count)]
    flags.replace(range, with: results.map { $0 != nil })
    return ArrayModification(at: at, old: old, new: results.compactMap { $0 })
  }
}
