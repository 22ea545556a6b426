import CGatheredKit
import Gathering
import Machine

/// A dictionary or a list that C builds or reads.
final class DictObject: HandleObject, @unchecked Sendable {
  // Safe: contents and what is borrowed from them are touched under the monitor's lock.
  private struct State: @unchecked Sendable {
    var value: Value
    /// What was handed out since the last change: valid until the next one.
    var lent: [Int: gkit_value] = [:]
    var keys: [String: UnsafePointer<CChar>] = [:]
    var arena = Arena()
  }

  private let state: Monitor<State>

  /// A container of a dictionary or list value; one inside another is not counted.
  init(_ value: Value, isCounted: Bool = true) {
    state = Monitor(State(value: value))
    super.init(.dict, isCounted: isCounted)
  }

  /// The whole content.
  var value: Value { state.withLock { $0.value } }

  override var summary: String { (try? value.json()) ?? "dict" }

  /// How many members or items there are.
  var count: Int {
    state.withLock { state in
      switch state.value {
      case .dictionary(let members): members.count
      case .list(let items): items.count
      default: 0
      }
    }
  }

  /// Sets a member (a dictionary) or appends an item (a list, key nil): C API R15.
  func set(_ key: String?, _ value: Value) throws {
    try state.withLock { state in
      switch (state.value, key) {
      case (.dictionary(var members), let key?):
        state.value = .none
        members[key] = value
        state.value = .dictionary(members)
      case (.list(var items), nil):
        state.value = .none
        items.append(value)
        state.value = .list(items)
      case (.list, _): throw Failure(Status.invalidArgument, "a list takes no key")
      default: throw Failure(Status.invalidArgument, "a dictionary takes a key")
      }
      state.lent = [:]
      state.keys = [:]
      state.arena = Arena()
    }
  }

  /// A member by key, lent until the dictionary changes or goes.
  func member(_ key: String) throws -> gkit_value {
    try state.withLock { state in
      guard case .dictionary(let members) = state.value else {
        throw Failure(Status.invalidArgument, "a list has no keys")
      }
      guard let index = members.firstIndex(where: { $0.key.utf8.elementsEqual(key.utf8) }) else {
        throw Failure(Status.notFound, "no member \(Array(key.utf8).quotedExcerpt)")
      }
      return Self.lend(&state, index, members[index].value)
    }
  }

  /// The member or item at a position, lent until the container changes or goes.
  func entry(at index: Int) throws -> (key: UnsafePointer<CChar>?, value: gkit_value) {
    try state.withLock { state in
      switch state.value {
      case .dictionary(let members) where members.indices.contains(index):
        let key = members[index].key
        let copy = state.keys[key] ?? state.arena.text(key)
        state.keys[key] = copy
        return (copy, Self.lend(&state, index, members[index].value))
      case .list(let items) where items.indices.contains(index):
        return (nil, Self.lend(&state, index, items[index]))
      default:
        throw Failure(Status.invalidArgument, "index \(index) is out of range")
      }
    }
  }

  private static func lend(_ state: inout State, _ index: Int, _ value: Value) -> gkit_value {
    if let lent = state.lent[index] { return lent }
    let lent = state.arena.value(value)
    state.lent[index] = lent
    return lent
  }
}
