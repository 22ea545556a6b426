import CGatheredKit
import Gathering
import Ground
import Values

/// A dictionary or a list that C builds or reads.
final class DictObject: HandleObject, @unchecked Sendable {
  // Safe: contents and what is borrowed from them are touched under the monitor's lock.
  private struct State: @unchecked Sendable {
    var members = ValueDictionary()
    var items: [Value] = []
    /// How much it holds; nil until first asked for, and after a container in it was replaced.
    var extent: Extent?
    var loan: Loan?
    /// What it says as a query, once it was used as one.
    var query: HostQuery?
    /// What it says as JSON, shared by those that say the same; nil after a change.
    var text: KeptText?
  }

  /// What was handed out since the last change: valid until the next one.
  private struct Loan {
    let arena = Arena()
    var values: [Entry: gkit_value] = [:]
    var keys: [ExactText: UnsafePointer<CChar>] = [:]
  }

  private enum Entry: Hashable {
    case member(ExactText)
    case item(Int)
  }

  private let isList: Bool
  private let isInside: Bool
  private let state: Monitor<State>

  /// A container of a dictionary or list value; one inside another is not counted, nor changed.
  init(_ value: Value, isCounted: Bool = true, text: KeptText? = nil) {
    var state = State(text: text)
    switch value {
    case .list(let items):
      isList = true
      state.items = items
    case .dictionary(let members):
      isList = false
      state.members = members
    default: isList = false
    }
    isInside = !isCounted
    self.state = Monitor(state, rank: .handle)
    super.init(.dict, isCounted: isCounted)
  }

  /// The whole content.
  var value: Value { state.withLock { isList ? .list($0.items) : .dictionary($0.members) } }

  /// Which of the two it is.
  var valueType: ValueType { isList ? .list : .dictionary }

  /// The whole content as JSON text. Throws LIMIT and NO_MEMORY.
  func json() throws -> String {
    let (value, text) = state.withLock { state -> (Value, KeptText?) in
      (isList ? .list(state.items) : .dictionary(state.members), state.text)
    }
    return try text?.text(of: value) ?? value.checkedJSON()
  }

  override var summary: String {
    isList ? "list of \(count) items" : "dict of \(count) members"
  }

  /// How many members or items there are.
  var count: Int { state.withLock { isList ? $0.items.count : $0.members.count } }

  /// Sets a member (a dictionary) or appends an item (a list, key nil): C API R15.
  func set(_ key: String?, _ value: Value) throws {
    if isInside {
      throw Failure(Status.notSupported, "what is inside another dictionary cannot be changed")
    }
    if isList, key != nil { throw Failure(Status.invalidArgument, "a list takes no key") }
    if !isList, key == nil { throw Failure(Status.invalidArgument, "a dictionary takes a key") }
    let added = Extent(of: value)
    // What was lent, and what was replaced, goes after the lock is open.
    let ended = try state.withLock { state in
      let former = key.flatMap { state.members[$0] }
      let extent = try extent(of: &state, with: added, key, isNew: former == nil)
      if let key { state.members[key] = value } else { state.items.append(value) }
      state.extent = former == nil ? extent : nil
      defer { (state.loan, state.query, state.text) = (nil, nil, nil) }
      return (state.loan, state.query, state.text, former)
    }
    _ = ended
  }

  /// How much it will hold. Throws LIMIT and NO_MEMORY, before anything has changed.
  private func extent(
    of state: inout State, with added: Extent, _ key: String?, isNew: Bool
  ) throws -> Extent {
    var extent =
      state.extent ?? Extent(of: isList ? .list(state.items) : .dictionary(state.members))
    state.extent = extent
    extent.add(added)
    if isNew, let key { extent.add(name: key) }
    try extent.check()
    // It grows by doubling, and what others have of it is copied.
    let count = isList ? state.items.count : state.members.count
    let isFull = count & (count - 1) == 0
    if isFull || state.query != nil || state.loan != nil {
      if !Room.has(count * (isList ? 3 : 8) * MemoryLayout<Value>.stride) {
        throw Failure.noMemory
      }
    }
    return extent
  }

  /// How much it holds.
  var extent: Extent {
    state.withLock { state in
      let extent =
        state.extent ?? Extent(of: isList ? .list(state.items) : .dictionary(state.members))
      state.extent = extent
      return extent
    }
  }

  /// What it says as a query: read when first asked for, and again after a change.
  func query() throws -> HostQuery {
    try state.withLock { state in
      if let known = state.query { return known }
      let value: Value = isList ? .list(state.items) : .dictionary(state.members)
      let extent = state.extent ?? Extent(of: value)
      state.extent = extent
      try checkRoom(for: extent.memory, times: 4)
      let new = try HostQuery(value, memory: extent.memory)
      state.query = new
      return new
    }
  }

  /// A member by key, lent until the dictionary changes or goes.
  func member(_ key: String) throws -> gkit_value {
    if isList { throw Failure(Status.invalidArgument, "a list has no keys") }
    return try state.withLock { state in
      guard let value = state.members[key] else {
        throw Failure(Status.notFound, "no member \(Array(key.utf8).quotedExcerpt)")
      }
      return try Self.lend(&state.loan, value, .member(ExactText(key)))
    }
  }

  /// The member or item at a position, lent until the container changes or goes.
  func entry(at index: Int) throws -> (key: UnsafePointer<CChar>?, value: gkit_value) {
    try state.withLock { state in
      if isList, state.items.indices.contains(index) {
        return (nil, try Self.lend(&state.loan, state.items[index], .item(index)))
      }
      if !isList, state.members.indices.contains(index) {
        let (key, value) = state.members[index]
        return (
          try Self.lend(&state.loan, key),
          try Self.lend(&state.loan, value, .member(ExactText(key)))
        )
      }
      throw Failure(Status.notFound, "there is nothing at position \(index)")
    }
  }

  private static func lend(
    _ loan: inout Loan?, _ value: Value, _ entry: Entry
  ) throws -> gkit_value {
    switch value {
    case .string, .bytes, .dictionary, .list: break
    default: return gkit_value(plain: value)
    }
    if let lent = loan?.values[entry] { return lent }
    let arena = opened(&loan)
    let lent = arena.value(value)
    if lent.type == 0 { throw Failure.noMemory }
    loan?.values[entry] = lent
    return lent
  }

  private static func lend(
    _ loan: inout Loan?, _ key: String
  ) throws -> UnsafePointer<CChar> {
    if let lent = loan?.keys[ExactText(key)] { return lent }
    let arena = opened(&loan)
    guard let lent = arena.text(key) else { throw Failure.noMemory }
    loan?.keys[ExactText(key)] = lent
    return lent
  }

  private static func opened(_ loan: inout Loan?) -> Arena {
    if let loan { return loan.arena }
    let new = Loan()
    loan = new
    return new.arena
  }
}
