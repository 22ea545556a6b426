extension ObservableArray {
  /// The results of a function for each element, at the same indices.
  ///
  /// While it is observed, `function` is called once for each element that is put in.
  public func map<Result: Sendable>(
    _ function: @escaping @Sendable (Element) -> Result
  ) -> ArrayView<Result> {
    ArrayMap(function: function).following(moments)
  }
}

private struct ArrayMap<Input: Sendable, Output: Sendable>: ArrayFollowing {
  let function: @Sendable (Input) -> Output

  func start(from input: SharedList<Input>) -> [Output] { input.elements.map(function) }

  func follow(_ change: ArrayChange<Input>, _ output: SharedList<Output>) -> ArrayChange<Output>? {
    var result = ArrayChange<Output>(count: change.count)
    var shift = 0
    for modification in change.modifications {
      let start = modification.at + shift
      // What was there is remembered, not computed again.
      let old = output[start..<(start + modification.old.count)]
      let new = modification.new.map(function)
      result.append(ArrayModification(at: modification.at, old: old, new: new))
      shift += old.count - new.count
    }
    return result
  }
}
