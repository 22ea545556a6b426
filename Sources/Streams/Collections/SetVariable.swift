/// A set that can be read, changed and observed; it keeps the order of insertion.
///
/// Each call that changes it is a transaction. It is changed before any sink receives that. Every
/// call is allowed on every thread, inside sinks too.
public final class SetVariable<Element: Hashable & Sendable>: ObservableSet {
  /// The most elements a set may have.
  public static var limit: Int { 1_000_000 }

  package let variable: Variable<SetMoment<Element>>
  private let clock: @Sendable () -> MomentStamp

  /// Makes a set of these elements; what is beyond the limit is left out.
  public convenience init(_ elements: [Element] = []) {
    self.init(elements) { MomentStamp() }
  }

  /// Makes a set that asks for the time of each change.
  package init(_ elements: [Element], clock: @escaping @Sendable () -> MomentStamp) {
    variable = Variable(SetMoment(Array(elements.prefix(Self.limit)), at: clock()))
    self.clock = clock
  }

  /// The set and its changes, moment by moment.
  public var moments: any ObservableValue<SetMoment<Element>> { variable }

  /// The present elements; assigning others announces the difference, unless they are refused.
  public var value: [Element] {
    get { variable.value.elements }
    set { try? set(newValue) }
  }

  /// How many subscriptions are open on it and on its views.
  public var subscriberCount: Int { variable.subscriberCount }

  // MARK: Changing

  /// Puts an element in; false, and no transaction, where it is there. Throws `limit` and
  /// `cascadeLimit`, and nothing is changed then.
  @discardableResult
  public func insert(_ element: Element) throws(StreamError) -> Bool {
    try change(isAlways: false) { _ in SetChange(inserted: [element]) }
  }

  /// Takes an element out; false, and no transaction, where it is not there.
  @discardableResult
  public func remove(_ element: Element) throws(StreamError) -> Bool {
    try change(isAlways: false) { _ in SetChange(removed: [element]) }
  }

  /// Puts in what is not there.
  public func formUnion(_ elements: [Element]) throws(StreamError) {
    _ = try change { _ in SetChange(inserted: elements) }
  }

  /// Takes out what is there.
  public func subtract(_ elements: [Element]) throws(StreamError) {
    _ = try change { _ in SetChange(removed: elements) }
  }

  /// Takes out all but these.
  public func formIntersection(_ elements: [Element]) throws(StreamError) {
    let kept = Set(elements)
    _ = try change { SetChange(removed: $0.elements.filter { !kept.contains($0) }) }
  }

  /// Takes out and puts in, as one transaction; what is in both lists is put in.
  package func change(removing gone: [Element], inserting come: [Element]) throws(StreamError) {
    _ = try change { moment in
      SetChange(removed: gone, inserted: come.filter { !moment.contains($0) })
    }
  }

  /// Makes it a set of these.
  public func set(_ elements: [Element]) throws(StreamError) {
    let kept = Set(elements)
    _ = try change { moment in
      let gone = moment.elements.filter { !kept.contains($0) }
      return SetChange(removed: gone, inserted: elements.filter { !moment.contains($0) })
    }
  }

  /// Takes all elements out.
  public func removeAll() throws(StreamError) { try set([]) }

  /// Makes a change of another set of the same elements, as one transaction.
  ///
  /// Throws `changeMismatch`, and changes nothing, where it does not fit.
  public func apply(_ foreign: SetChange<Element>) throws(StreamError) {
    _ = try change { moment throws(StreamError) in
      guard foreign.removed.allSatisfy(moment.contains),
        !foreign.inserted.contains(where: moment.contains)
      else { throw .changeMismatch(nil) }
      return foreign
    }
  }

  /// Makes a change; false where it changes nothing, which is a transaction only if always one is
  /// wanted. Outside the lock, since elements are compared.
  private func change(
    isAlways: Bool = true,
    _ make: (SetMoment<Element>) throws(StreamError) -> SetChange<Element>
  ) throws(StreamError) -> Bool {
    while true {
      let moment = variable.value
      let new = moment.changed(by: try make(moment), at: clock())
      if new.change.isEmpty {
        if isAlways { variable.withTransaction {} }
        return false
      }
      if new.count > Self.limit { throw .limit }
      // Another thread may have changed it meanwhile.
      guard let delivery = variable.set(new, if: { $0.number == moment.number }) else { continue }
      if case .refused(let error) = delivery { throw error }
      return true
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
