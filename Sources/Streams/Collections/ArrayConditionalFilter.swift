import Ground

extension ObservableArray {
  /// The elements whose condition is true at the moment, in their order: they come and go with it.
  ///
  /// While it is observed, `condition` is called once for each element that is put in, and what it
  /// returns has one subscription, as long as the element is in the list.
  public func filter(
    _ condition: @escaping @Sendable (Element) -> any ObservableValue<Bool>
  ) -> ArrayView<Element> {
    let moments = moments
    let heard = Lock(HeardFilter<Element>())
    return ArrayView(
      moments: DerivedValue(
        Derivation(
          present: {
            let input = moments.value
            let shown = input.list.elements.filter { condition($0).value }
            return ArrayMoment(SharedList(shown), at: input.stamp)
          },
          phase: {
            let conditions =
              heard.withLock { $0.filter }?.conditions ?? moments.value.list.elements.map(condition)
            return conditions.reduce(moments.presentPhase) { $0 | $1.presentPhase }
          },
          attach: { inputSubscription in
            let filter = ConditionalFilter(condition, for: inputSubscription)
            let latest = inputSubscription.subscribe(to: moments) { filter.follow($0) }
            filter.follow(latest.value)
            heard.withLock { $0.filter = filter }
            return { filter.present }
          },
          isNews: { $0.number != $1.number })))
  }
}

/// The filter whose conditions are heard at the moment.
private struct HeardFilter<Element: Sendable>: Sendable {
  weak var filter: ConditionalFilter<Element>?
}

/// An element of a list, and what decides whether it is shown.
private final class ConditionalElement<Element: Sendable>: Sendable {
  let content: Element
  let condition: any ObservableValue<Bool>
  private let latest = Lock<LatestInput<Bool>?>(nil)

  init(_ content: Element, _ condition: any ObservableValue<Bool>) {
    (self.content, self.condition) = (content, condition)
  }

  func keep(_ latest: LatestInput<Bool>) { self.latest.withLock { $0 = latest } }
  func retire() { latest.withLock { $0 }?.retire() }
}

/// The elements of a list and which of them are shown, while the list is followed.
///
/// Only the handler of the node's events changes it, and so one thread at a time.
private final class ConditionalFilter<Element: Sendable>: Sendable {
  typealias Item = PlacedItem<ConditionalElement<Element>>

  private struct State: Sendable {
    var elements = PlacedList<ConditionalElement<Element>>()
    var shown = ShownElements()
    var input = ArrayMoment(SharedList<Element>())
    var output = ArrayMoment(SharedList<Element>())
  }

  /// What others look at.
  private struct Known: Sendable {
    var output = ArrayMoment(SharedList<Element>())
    var items = SharedList<Item>()
  }

  private let condition: @Sendable (Element) -> any ObservableValue<Bool>
  private let inputSubscription: InputSubscription<ArrayMoment<Element>>
  private let state = OperatorMemory(State())
  private let known = Lock(Known())

  init(
    _ condition: @escaping @Sendable (Element) -> any ObservableValue<Bool>,
    for inputSubscription: InputSubscription<ArrayMoment<Element>>
  ) {
    self.condition = condition
    self.inputSubscription = inputSubscription
  }

  /// The elements that are shown.
  var present: ArrayMoment<Element> { known.withLock { $0.output } }

  /// All conditions that are heard.
  var conditions: [any ObservableValue<Bool>] {
    known.withLock { $0.items }.elements.map { $0.element.condition }
  }

  /// The list is another one.
  func follow(_ input: ArrayMoment<Element>) {
    update { state in
      let list = state.output.list
      var change = ArrayChange<Element>(count: list.count)
      var shift = 0
      for modification in input.change(since: state.input).modifications {
        let range = modification.formerRange
        for item in state.elements.items[range] { item.element.retire() }
        let new = modification.new.map { ConditionalElement($0, condition($0)) }
        let results = state.elements.replace(range, with: new).map { hear($0) }
        let step = state.shown.replace(range, with: results, in: list, shift)
        change.append(step)
        shift += step.old.count - step.new.count
      }
      state.input = input
      return change
    }
  }

  /// Subscribes to the condition of an element, which is the result if it is to be shown now.
  private func hear(_ item: Item) -> Element? {
    let latest = inputSubscription.subscribe(to: item.element.condition) { isTrue in
      self.toggle(item, isTrue)
    }
    item.element.keep(latest)
    return latest.value ? item.element.content : nil
  }

  /// The condition of an element was told.
  private func toggle(_ item: Item, _ isTrue: Bool) {
    update { state in
      let (index, list) = (state.elements.index(of: item), state.output.list)
      var change = ArrayChange<Element>(count: list.count)
      if state.shown[index] == isTrue { return change }
      let result = isTrue ? item.element.content : nil
      change.append(state.shown.replace(index..<(index + 1), with: [result], in: list))
      return change
    }
  }

  private func update(_ body: (inout State) -> ArrayChange<Element>) {
    let new = state.update { state in
      let change = body(&state)
      if !change.isEmpty {
        state.output = state.output.changed(by: change, at: state.input.stamp)
      }
      return Known(output: state.output, items: state.elements.items)
    }
    guard var other = new else { return }
    // What was known is released outside the lock.
    known.withLock { swap(&$0, &other) }
  }
}
