extension ObservableSet {
  /// The results of a function for each element, each of them once.
  ///
  /// While it is observed, `function` is called once for each element that is put in. A result is
  /// there as long as any of the elements that lead to it.
  public func map<Result: Hashable & Sendable>(
    _ function: @escaping @Sendable (Element) -> Result
  ) -> SetView<Result> {
    countedSet([moments], function)
  }

  /// The same for the elements that the function has a result for.
  public func compactMap<Result: Hashable & Sendable>(
    _ function: @escaping @Sendable (Element) -> Result?
  ) -> SetView<Result> {
    countedSet([moments], function)
  }

  /// The elements in an order; those of which neither is before the other in that of insertion.
  ///
  /// `isBefore` must be a strict weak order; the order is another one where it is not.
  public func sorted(
    by isBefore: @escaping @Sendable (Element, Element) -> Bool
  ) -> ArrayView<Element> {
    let sorting = SortedSet(isBefore: isBefore)
    let present = { @Sendable () -> ArrayMoment<Element> in
      var fresh = sorting
      return fresh.moment(after: self.moments.value)
    }
    return ArrayView(
      moments: DerivedValue(
        Derivation(
          present: present,
          phase: { self.moments.presentPhase },
          attach: { inputSubscription in
            let latest = inputSubscription.subscribe(to: self.moments)
            let state = OperatorMemory(sorting)
            return { state.update { $0.moment(after: latest.value) } ?? present() }
          },
          isNews: { $0.number != $1.number })))
  }

  /// How many elements there are, told when it is another number.
  public var count: any ObservableValue<Int> {
    fact { $0.count }
  }

  /// Whether an element is in it, told when that changes.
  public func contains(_ element: Element) -> any ObservableValue<Bool> {
    fact { $0.contains(element) }
  }

  private func fact<Fact: Equatable & Sendable>(
    _ fact: @escaping @Sendable (SetMoment<Element>) -> Fact
  ) -> any ObservableValue<Fact> {
    DerivedValue(
      Derivation(
        present: { fact(self.moments.value) },
        phase: { self.moments.presentPhase },
        attach: { inputSubscription in
          let latest = inputSubscription.subscribe(to: self.moments)
          return { fact(latest.value) }
        },
        isNews: { $0 != $1 }))
  }
}

extension ObservableSet where Element: Comparable {
  /// The elements in ascending order.
  public func sorted() -> ArrayView<Element> { sorted { $0 < $1 } }
}

/// What is in any of several sets: an element comes with the first of them that has it, and goes
/// with the last.
public func union<Element: Hashable & Sendable>(
  _ sets: any ObservableSet<Element>...
) -> SetView<Element> {
  union(sets)
}

/// What is in any of several sets: an element comes with the first of them that has it, and goes
/// with the last.
public func union<Element: Hashable & Sendable>(
  _ sets: [any ObservableSet<Element>]
) -> SetView<Element> {
  countedSet(sets.map { $0.moments }) { $0 }
}

/// The results for the elements of sets, with how many lead to each.
private func countedSet<Input: Hashable & Sendable, Output: Hashable & Sendable>(
  _ origins: [any ObservableValue<SetMoment<Input>>],
  _ function: @escaping @Sendable (Input) -> Output?
) -> SetView<Output> {
  let present = { @Sendable () -> SetMoment<Output> in
    var fresh = CountedResults(function: function)
    return fresh.moment(after: origins.map { $0.value })
  }
  return SetView(
    moments: DerivedValue(
      Derivation(
        present: present,
        phase: { origins.reduce(TransactionPhase()) { $0 | $1.presentPhase } },
        attach: { inputSubscription in
          let latest = origins.map { inputSubscription.subscribe(to: $0) }
          let state = OperatorMemory(CountedResults(function: function))
          return { state.update { $0.moment(after: latest.map { $0.value }) } ?? present() }
        },
        isNews: { $0.number != $1.number })))
}

/// What is known of a set that is made of others.
private struct CountedResults<Input: Hashable & Sendable, Output: Hashable & Sendable>: Sendable {
  let function: @Sendable (Input) -> Output?
  private var inputs: [SetMoment<Input>] = []
  /// What each element led to, and how many inputs have it.
  private var results: [Input: (result: Output?, count: Int)] = [:]
  private var counts: [Output: Int] = [:]
  private var output: SetMoment<Output>?

  init(function: @escaping @Sendable (Input) -> Output?) {
    self.function = function
  }

  mutating func moment(after new: [SetMoment<Input>]) -> SetMoment<Output> {
    let stamp = new.map { $0.stamp }.max { $0.time < $1.time } ?? MomentStamp()
    let former = output ?? SetMoment([], at: stamp)
    let known = inputs.isEmpty ? new.map { _ in SetMoment<Input>([]) } : inputs
    var (gone, come): ([Output], [Output]) = ([], [])
    for (old, new) in zip(known, new) {
      let change = new.change(since: old)
      gone += change.removed.compactMap { remove($0) }
      come += change.inserted.compactMap { insert($0) }
    }
    inputs = new
    let change = SetChange(
      removed: gone.filter { counts[$0] == nil }, inserted: come.filter { counts[$0] != nil })
    let moment = change.isEmpty ? former : former.changed(by: change, at: stamp)
    output = moment
    return moment
  }

  /// The result that has come with an element; nil where it was there.
  private mutating func insert(_ element: Input) -> Output? {
    let known = results[element]
    let result = if let known { known.result } else { function(element) }
    results[element] = (result, (known?.count ?? 0) + 1)
    guard let result else { return nil }
    counts[result, default: 0] += 1
    return counts[result] == 1 ? result : nil
  }

  /// The result that has gone with an element; nil where it stays.
  private mutating func remove(_ element: Input) -> Output? {
    guard let (result, count) = results[element] else { return nil }
    results[element] = count > 1 ? (result, count - 1) : nil
    guard let result else { return nil }
    let left = (counts[result] ?? 1) - 1
    counts[result] = left > 0 ? left : nil
    return left > 0 ? nil : result
  }
}

/// What is known of a set in order.
private struct SortedSet<Element: Hashable & Sendable>: Sendable {
  let isBefore: @Sendable (Element, Element) -> Bool
  private var items = SharedList<SetMoment<Element>.Item>()
  private var moments: (input: SetMoment<Element>, output: ArrayMoment<Element>)?

  init(isBefore: @escaping @Sendable (Element, Element) -> Bool) {
    self.isBefore = isBefore
  }

  private func precedes(
    _ left: SetMoment<Element>.Item, _ right: SetMoment<Element>.Item
  ) -> Bool {
    if isBefore(left.element, right.element) { return true }
    return !isBefore(right.element, left.element) && left.age < right.age
  }

  mutating func moment(after input: SetMoment<Element>) -> ArrayMoment<Element> {
    guard let (former, output) = moments else {
      let output = ArrayMoment(SharedList(start(from: input)), at: input.stamp)
      moments = (input, output)
      return output
    }
    let change =
      follow(input.change(since: former), from: former, to: input)
      ?? .replacing(output.list.elements, by: start(from: input))
    let new = change.isEmpty ? output : output.changed(by: change, at: input.stamp)
    moments = (input, new)
    return new
  }

  private mutating func start(from input: SetMoment<Element>) -> [Element] {
    let sorted = input.items.elements.sorted(by: precedes)
    items = SharedList(sorted)
    return sorted.map { $0.element }
  }

  /// Nil where to start anew costs less.
  private mutating func follow(
    _ change: SetChange<Element>, from former: SetMoment<Element>, to new: SetMoment<Element>
  ) -> ArrayChange<Element>? {
    let (count, touched) = (items.count, change.removed.count + change.inserted.count)
    if touched > 64, touched > count / 4 { return nil }
    var steps: [ArrayModification<Element>] = []
    for item in change.removed.compactMap(former.item) {
      let index = items.firstIndex { precedes($0, item) }
      // A comparison that is no order may not lead there.
      guard index < items.count, items[index].age == item.age else { return nil }
      items.replace(index..<(index + 1), with: [])
      steps.append(ArrayModification(at: index, old: [item.element]))
    }
    for item in change.inserted.compactMap(new.item) {
      let index = items.firstIndex { precedes($0, item) }
      items.replace(index..<index, with: [item])
      steps.append(ArrayModification(at: index, new: [item.element]))
    }
    return .merged(count: count, steps[...])
  }
}
