import Streams
import Values

/// A change of a list as a host describes it.
enum ListModification: Sendable {
  /// So many elements at an index give way to others.
  case edit(at: Int, remove: Int, insert: [Value])
  /// A change of another list.
  case change(ArrayChange<Value>)

  init(_ members: ValueDictionary) throws(SourceError) {
    var arguments = StreamArguments(members, of: "modify")
    if let count = try arguments.integer("count", from: 0) {
      let list = try arguments.list("modifications") ?? []
      try arguments.finish()
      var modifications: [ArrayModification<Value>] = []
      for item in list { modifications.append(try Self.modification(item)) }
      do throws(StreamError) {
        self = .change(try ArrayChange(count: Int(clamping: count), modifications))
      } catch { throw SourceError(error) }
      return
    }
    let at = try arguments.integer("at") ?? 0
    let remove = try arguments.integer("remove", from: 0) ?? 0
    let insert = try arguments.list("insert") ?? []
    try arguments.finish()
    self = .edit(at: Int(clamping: at), remove: Int(clamping: remove), insert: insert)
  }

  private static func modification(
    _ item: Value
  ) throws(SourceError) -> ArrayModification<Value> {
    guard case .dictionary(let members) = item else {
      throw .type("each of the modifications must be a dict")
    }
    var arguments = StreamArguments(members, of: "a modification")
    _ = arguments.value("kind")
    let at = try arguments.required(try arguments.integer("at", from: 0), "at")
    let (old, new) = (try arguments.list("old") ?? [], try arguments.list("new") ?? [])
    try arguments.finish()
    return ArrayModification(at: Int(clamping: at), old: old, new: new)
  }

  func apply(to list: ArrayVariable<Value>) throws(StreamError) {
    switch self {
    case .edit(let at, let remove, let insert):
      let (end, isBeyond) = at.addingReportingOverflow(remove)
      if isBeyond || at < 0 { throw .indexOutOfRange(at) }
      try list.replace(at..<end, with: insert)
    case .change(let change): try list.apply(change)
    }
  }
}

/// A change of a set as a host describes it.
enum SetModification: Sendable {
  case edit(remove: [Value], insert: [Value])
  /// A change of another set.
  case change(SetChange<Value>)

  init(_ members: ValueDictionary) throws(SourceError) {
    var arguments = StreamArguments(members, of: "modify")
    let (removed, inserted) = (try arguments.list("removed"), try arguments.list("inserted"))
    let (remove, insert) = (try arguments.list("remove"), try arguments.list("insert"))
    try arguments.finish()
    if removed != nil || inserted != nil {
      self = .change(SetChange(removed: removed ?? [], inserted: inserted ?? []))
    } else {
      self = .edit(remove: remove ?? [], insert: insert ?? [])
    }
  }

  func apply(to set: SetVariable<Value>) throws(StreamError) {
    switch self {
    case .edit(let remove, let insert): try set.change(removing: remove, inserting: insert)
    case .change(let change): try set.apply(change)
    }
  }
}

extension ArrayChange where Element == Value {
  /// {count, modifications: [{kind, at, old, new}]}.
  var dictionary: ValueDictionary {
    let rows = modifications.map { modification in
      Value.dictionary([
        "kind": .string(modification.kind.rawValue), "at": .int(Int64(modification.at)),
        "old": .list(modification.old), "new": .list(modification.new),
      ])
    }
    return ["count": .int(Int64(count)), "modifications": .list(rows)]
  }
}

extension SetChange where Element == Value {
  /// {removed, inserted}.
  var dictionary: ValueDictionary {
    ["removed": .list(removed), "inserted": .list(inserted)]
  }
}

extension DynamicCollection {
  /// Changes of a list or set the other way round; what is none passes as it is.
  static func reversedChanges(_ changes: any ValueStream<Sample>) -> any ValueStream<Sample> {
    Derived(from: changes) { sink in
      { sample in
        guard case .dictionary(let members) = sample.value else { return sink.receive(sample) }
        var reversed: ValueDictionary?
        if members["count"] != nil {
          if case .change(let change)? = try? ListModification(members) {
            reversed = change.reversed().dictionary
          }
        } else if case .change(let change)? = try? SetModification(members) {
          reversed = change.reversed().dictionary
        }
        sink.receive(reversed.map { sample.carrying(.dictionary($0)) } ?? sample)
      }
    }
  }
}
