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
  /// Which elements of the input have a result.
  private var flags = ListTree<Trues>()

  init(function: @escaping @Sendable (Input) -> Output?) {
    self.function = function
  }

  mutating func start(from input: SharedList<Input>) -> [Output] {
    let results = input.elements.map(function)
    flags = ListTree(results.map { $0 != nil })
    return results.compactMap { $0 }
  }

  mutating func follow(
    _ change: ArrayChange<Input>, _ output: SharedList<Output>
  ) -> ArrayChange<Output>? {
    var result = ArrayChange<Output>(count: output.count)
    var shift = 0
    for modification in change.modifications {
      let results = modification.new.map(function)
      let at = flags.weight(before: modification.at)
      let count = flags.weight(before: modification.formerRange.upperBound) - at
      // What was there is remembered, not computed again.
      let old = output[(at + shift)..<(at + shift + count)]
      flags.replace(modification.formerRange, with: results.map { $0 != nil })
      let new = results.compactMap { $0 }
      result.append(ArrayModification(at: at, old: old, new: new))
      shift += old.count - new.count
    }
    return result
  }
}
