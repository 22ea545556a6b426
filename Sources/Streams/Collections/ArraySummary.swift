/// One value about a list, kept up change by change.
package protocol ArraySummary: Sendable {
  /// What the list consists of.
  associatedtype Element: Sendable
  /// What is said of it.
  associatedtype Result: Sendable & Equatable

  /// Takes in an element that has come.
  mutating func insert(_ element: Element)
  /// Takes back an element that has gone.
  mutating func remove(_ element: Element)
  /// What is said of so many elements.
  func result(count: Int) -> Result
}

extension ArraySummary {
  /// What is said of `origin`, told when it is another.
  package func following(
    _ origin: any ObservableValue<ArrayMoment<Element>>
  ) -> any ObservableValue<Result> {
    let present = { @Sendable () -> Result in
      var summary = FollowedSummary(summary: self)
      return summary.result(after: origin.value)
    }
    return DerivedValue(
      Derivation(
        present: present,
        phase: { origin.presentPhase },
        attach: { inputSubscription in
          let latest = inputSubscription.subscribe(to: origin)
          let summary = OperatorMemory(FollowedSummary(summary: self))
          return { summary.update { $0.result(after: latest.value) } ?? present() }
        },
        isNews: { $0 != $1 }))
  }
}

private struct FollowedSummary<Summary: ArraySummary>: Sendable {
  private let fresh: Summary
  private var summary: Summary
  private var last: ArrayMoment<Summary.Element>?

  init(summary: Summary) {
    (fresh, self.summary) = (summary, summary)
  }

  mutating func result(after moment: ArrayMoment<Summary.Element>) -> Summary.Result {
    if let last {
      for modification in moment.change(since: last).modifications {
        for element in modification.old { summary.remove(element) }
        for element in modification.new { summary.insert(element) }
      }
    } else {
      for element in moment.list.elements { summary.insert(element) }
    }
    // Nothing of what has been there is left in an empty list.
    if moment.list.count == 0 { summary = fresh }
    last = moment
    return summary.result(count: moment.list.count)
  }
}

extension ObservableArray {
  /// How many elements there are.
  public var count: any ObservableValue<Int> {
    let moments = moments
    return DerivedValue(
      Derivation(
        present: { moments.value.list.count },
        phase: { moments.presentPhase },
        attach: { inputSubscription in
          let latest = inputSubscription.subscribe(to: moments)
          return { latest.value.list.count }
        },
        isNews: { $0 != $1 }))
  }
}

extension ObservableArray where Element: Equatable {
  /// Whether an element is among them.
  public func contains(_ element: Element) -> any ObservableValue<Bool> {
    ArrayContains(element: element).following(moments)
  }
}

private struct ArrayContains<Element: Sendable & Equatable>: ArraySummary {
  let element: Element
  private var number = 0

  init(element: Element) {
    self.element = element
  }

  mutating func insert(_ element: Element) { number += element == self.element ? 1 : 0 }
  mutating func remove(_ element: Element) { number -= element == self.element ? 1 : 0 }
  func result(count: Int) -> Bool { number > 0 }
}

extension ObservableArray where Element: FixedWidthInteger {
  /// The sum of all elements; it wraps.
  public func sum() -> any ObservableValue<Element> {
    IntegerSum<Element>().following(moments)
  }
}

private struct IntegerSum<Element: FixedWidthInteger & Sendable>: ArraySummary {
  private var sum: Element = 0

  mutating func insert(_ element: Element) { sum &+= element }
  mutating func remove(_ element: Element) { sum &-= element }
  func result(count: Int) -> Element { sum }
}

extension ObservableArray where Element == Double {
  /// The sum of all elements, compensated.
  public func sum() -> any ObservableValue<Double> { CompensatedSum().following(moments) }
}

/// A sum from which summands can be taken back, with what rounding has cost kept apart.
package struct CompensatedSum: ArraySummary {
  private var (sum, error) = (0.0, 0.0)
  /// Those that no other could be taken back from.
  private var (infinities, negatives, others) = (0, 0, 0)

  /// Nothing yet.
  package init() {}

  /// Adds a summand.
  package mutating func insert(_ element: Double) { add(element, 1) }
  /// Takes a summand back.
  package mutating func remove(_ element: Double) { add(-element, -1) }

  private mutating func add(_ summand: Double, _ count: Int) {
    guard summand.isFinite else {
      if summand.isNaN {
        others += count
      } else if (summand > 0) == (count > 0) {
        infinities += count
      } else {
        negatives += count
      }
      return
    }
    let new = sum + summand
    // What the smaller one has lost.
    error += abs(sum) >= abs(summand) ? (sum - new) + summand : (summand - new) + sum
    sum = new
  }

  /// The sum.
  package func result(count: Int) -> Double {
    if others > 0 || (infinities > 0 && negatives > 0) { return .nan }
    if infinities > 0 { return .infinity }
    return negatives > 0 ? -.infinity : sum + error
  }
}
