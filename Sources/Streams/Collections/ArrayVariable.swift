/// A list that can be read, changed and observed.
///
/// Each call that changes it is a transaction with one modification. It is changed before any sink
/// receives that. Every call is allowed on every thread, inside sinks too.
public final class ArrayVariable<Element: Sendable>: ObservableArray {
  /// The most elements a list may have.
  public static var limit: Int { 1_000_000 }

  package let variable: Variable<ArrayMoment<Element>>
  private let clock: @Sendable () -> MomentStamp

  /// Makes a list of these elements; what is beyond the limit is left out.
  public convenience init(_ elements: [Element] = []) {
    self.init(elements) { MomentStamp() }
  }

  /// Makes a list that asks for the time of each change.
  package init(_ elements: [Element], clock: @escaping @Sendable () -> MomentStamp) {
    let list = SharedList(Array(elements.prefix(Self.limit)))
    variable = Variable(ArrayMoment(list, at: clock()))
    self.clock = clock
  }

  /// The list and its changes, moment by moment.
  public var moments: any ObservableValue<ArrayMoment<Element>> { variable }

  /// The present elements; assigning others replaces all, unless they are refused.
  public var value: [Element] {
    get { variable.value.list.elements }
    set { try? set(newValue) }
  }

  /// How many subscriptions are open on it and on its views.
  public var subscriberCount: Int { variable.subscriberCount }

  /// How many changes one cascade may have, the one that began it included; at least 1.
  public var cascadeLimit: Int {
    get { variable.cascadeLimit }
    set { variable.cascadeLimit = newValue }
  }

  // MARK: Changing

  /// Puts other elements in the place of a range.
  ///
  /// Throws `indexOutOfRange`, `limit`, and `cascadeLimit`; nothing is changed then. Where no
  /// element is touched nothing happens.
  public func replace(_ range: Range<Int>, with new: [Element]) throws(StreamError) {
    try change { list throws(StreamError) in
      for index in [range.lowerBound, range.upperBound] where !(0...list.count).contains(index) {
        throw .indexOutOfRange(index)
      }
      var change = ArrayChange<Element>(count: list.count)
      change.append(ArrayModification(at: range.lowerBound, old: list[range], new: new))
      return change
    }
  }

  /// Puts an element before the one at an index, or at the end.
  public func insert(_ element: Element, at index: Int) throws(StreamError) {
    guard index >= 0 else { throw .indexOutOfRange(index) }
    try replace(index..<index, with: [element])
  }

  /// Removes the element at an index.
  public func remove(at index: Int) throws(StreamError) {
    try replace(checked(index), with: [])
  }

  /// Puts another element in the place of the one at an index.
  public func set(_ element: Element, at index: Int) throws(StreamError) {
    try replace(checked(index), with: [element])
  }

  private func checked(_ index: Int) throws(StreamError) -> Range<Int> {
    guard index >= 0, index < Self.limit else { throw .indexOutOfRange(index) }
    return index..<(index + 1)
  }

  /// Adds elements at the end.
  public func append(_ elements: Element...) throws(StreamError) {
    try append(contentsOf: elements)
  }

  /// Adds elements at the end.
  public func append(contentsOf elements: [Element]) throws(StreamError) {
    try change { list in
      var change = ArrayChange<Element>(count: list.count)
      change.append(ArrayModification(at: list.count, new: elements))
      return change
    }
  }

  /// Puts other elements in the place of all.
  public func set(_ elements: [Element]) throws(StreamError) {
    try change { list in
      var change = ArrayChange<Element>(count: list.count)
      change.append(ArrayModification(at: 0, old: list.elements, new: elements))
      return change
    }
  }

  /// Removes all elements.
  public func removeAll() throws(StreamError) { try set([]) }

  /// Makes a change, of which the caller knows that it fits. Outside the lock, since elements may
  /// be compared.
  func change(
    _ make: (SharedList<Element>) throws(StreamError) -> ArrayChange<Element>
  ) throws(StreamError) {
    while true {
      let moment = variable.value
      let change = try make(moment.list)
      if change.isEmpty { return }
      if change.newCount > Self.limit { throw .limit }
      let new = moment.changed(by: change, at: clock())
      // Another thread may have changed it meanwhile.
      guard let delivery = variable.set(new, if: { $0.number == moment.number }) else { continue }
      if case .refused(let error) = delivery { throw error }
      return
    }
  }

  // MARK: Transactions

  /// Runs `body` inside a transaction, which ends however `body` does.
  public func withTransaction<Result>(_ body: () throws -> Result) rethrows -> Result {
    try variable.withTransaction(body)
  }

  /// Opens a transaction, or joins the one that is open.
  public func begin() { variable.begin() }

  /// Ends one `begin`; throws `notInTransaction`, and changes nothing, when none is open.
  public func end() throws(StreamError) { try variable.end() }
}

extension ArrayVariable where Element: Equatable {
  /// Makes a change of another list of the same elements, as one transaction.
  ///
  /// Throws `changeMismatch`, and changes nothing, where it does not fit.
  public func apply(_ foreign: ArrayChange<Element>) throws(StreamError) {
    try change { list throws(StreamError) in
      try foreign.check(fits: list.count) { list[$0] }
      return foreign
    }
  }
}
