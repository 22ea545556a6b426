import Gathering
import Values

/// The sources to read if the user names none: all that are there.
enum Overview {
  /// Every instance that can be read now; an aggregate only of several.
  static func selections(in context: Context) throws -> [Selection] {
    var found: [SourceIdentifier] = []
    for kind in context.catalogue {
      let ids = try context.sources(of: kind.kind)
        .filter { $0.availability.group == .available }.map(\.id)
      found += ids.count > 2 ? ids : ids.filter { ids.count == 1 || $0.instance != "aggregate" }
    }
    if found.isEmpty {
      throw CommandFailure("there is nothing to read", remedy: "run gathered doctor to see why")
    }
    return try found.map { try Selection($0, in: context) }
  }

  /// What an overview leaves out, for people; empty if nothing.
  static func rest(in context: Context) throws(SourceError) -> String {
    var count = 0
    for kind in context.catalogue {
      let sources = try context.sources(of: kind.kind)
      if !sources.contains(where: { $0.availability.group == .available }) { count += 1 }
    }
    if count == 0 { return "" }
    return "\(count) more kinds are not here or need something: run gathered doctor"
  }
}
