/// The elements of several lists, one list after the other.
public func concatenated<Element: Sendable>(
  _ arrays: any ObservableArray<Element>...
) -> ArrayView<Element> {
  concatenated(arrays)
}

/// The elements of several lists, one list after the other.
public func concatenated<Element: Sendable>(
  _ arrays: [any ObservableArray<Element>]
) -> ArrayView<Element> {
  let origins = arrays.map { $0.moments }
  let present = { @Sendable () -> ArrayMoment<Element> in
    var parts = ConcatenatedParts<Element>()
    return parts.moment(after: origins.map { $0.value })
  }
  return ArrayView(
    moments: DerivedValue(
      Derivation(
        present: present,
        phase: { origins.reduce(TransactionPhase()) { $0 | $1.presentPhase } },
        attach: { inputSubscription in
          let latest = origins.map { inputSubscription.subscribe(to: $0) }
          let parts = OperatorMemory(ConcatenatedParts<Element>())
          return { parts.update { $0.moment(after: latest.map { $0.value }) } ?? present() }
        },
        isNews: { $0.number != $1.number })))
}

/// What is known of lists that stand one after the other.
private struct ConcatenatedParts<Element: Sendable>: Sendable {
  private var inputs: [ArrayMoment<Element>] = []
  private var output: ArrayMoment<Element>?

  mutating func moment(after new: [ArrayMoment<Element>]) -> ArrayMoment<Element> {
    let stamp = new.map { $0.stamp }.max { $0.time < $1.time } ?? MomentStamp()
    guard let former = output else {
      let first = ArrayMoment(SharedList(new.flatMap { $0.list.elements }), at: stamp)
      (inputs, output) = (new, first)
      return first
    }
    var change = ArrayChange<Element>(count: former.list.count)
    var start = 0
    for (old, new) in zip(inputs, new) {
      for modification in new.change(since: old).modifications {
        change.append(
          ArrayModification(
            at: start + modification.at, old: modification.old, new: modification.new))
      }
      start += new.list.count
    }
    let moment = change.isEmpty ? former : former.changed(by: change, at: stamp)
    (inputs, output) = (new, moment)
    return moment
  }
}
