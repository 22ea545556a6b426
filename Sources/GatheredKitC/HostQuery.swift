import DataSources
import Values

/// What a call says beside the query: for custom data sources and repositories.
struct QueryNote: Sendable {
  /// The dictionary of the host, without its route.
  var members: ValueDictionary
  /// Which of its stores a repository asks.
  var route: Value?
}

/// A query of the host, read; calls that ask the same share it.
final class HostQuery: Sendable {
  let query: Query
  /// A `QueryNote`, put once into the box in which calls pass it on.
  let note: any Sendable
  /// How many bytes a copy of the dictionary takes.
  let memory: Int

  /// Throws INVALID_ARGUMENT for what is no query.
  init(_ value: Value, memory: Int) throws {
    self.memory = memory
    guard case .dictionary(var members) = value else {
      throw Failure(Status.invalidArgument, "query is a list")
    }
    let route = members["route"]
    if route != nil { members["route"] = nil }
    note = QueryNote(members: members, route: route == Value.none ? nil : route)
    query = try Query(members)
  }
}
