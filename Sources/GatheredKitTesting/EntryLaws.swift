import AsyncDataSources
import DataSources

/// The laws of single entries: L1 to L5, L7, L9 and L11.
struct EntryLaws<Source: DataSource> where Source.Value: Equatable {
  let abilities: DataSourceLaws<Source>.Abilities
  let value: @Sendable (String, Int) -> Source.Value

  /// Each is tried on a data source of its own.
  var all: [(LawTrial<Source>) async throws -> Void] {
    [answers, shapes, absence, null, emptyLists, keyTexts, notAKey]
  }

  private func answers(_ trial: LawTrial<Source>) async throws {
    let stored = try await trial.source.put(value("a", 1), in: .id("a"))
    let read = try await trial.source.get("a")
    trial.expect("L1: put answers what is stored", stored == read)
    if abilities.contains(.lists) {
      let list = try await trial.source.putAll([value("b", 1), value("b", 2)], in: .id("b"))
      let answer = try await trial.source.getAll("b")
      trial.expect("L1: putAll answers what is stored", list == answer && list.count == 2)
    }
    try await trial.source.deleteAll(.id("a"))
    await trial.expect("L1: deleteAll deletes", .notFound) { source throws(DataSourceError) in
      _ = try await source.get("a")
    }
  }

  private func shapes(_ trial: LawTrial<Source>) async throws {
    guard abilities.contains(.lists) else { return }
    try await trial.source.putAll([value("a", 1)], forId: "a")
    try await trial.source.put(value("a", 2), forId: "a")
    await trial.expect("L2: an object replaces a list", .notFound) {
      source throws(DataSourceError) in _ = try await source.getAll("a")
    }
    try await trial.source.putAll([value("a", 3)], forId: "a")
    await trial.expect("L2: a list replaces an object", .notFound) {
      source throws(DataSourceError) in _ = try await source.get("a")
    }
    try await trial.source.delete("a")
    await trial.expect("L2: delete removes a list", .notFound) { source throws(DataSourceError) in
      _ = try await source.getAll("a")
    }
  }

  private func absence(_ trial: LawTrial<Source>) async throws {
    await trial.expect("L3: no entry", .notFound) { source throws(DataSourceError) in
      _ = try await source.get("nobody")
    }
    if abilities.contains(.lists) {
      await trial.expect("L3: no list", .notFound) { source throws(DataSourceError) in
        _ = try await source.getAll("nobody")
      }
    }
    try await trial.source.delete("nobody")
  }

  private func null(_ trial: LawTrial<Source>) async throws {
    let stored = try await trial.source.put(value("a", 1), in: .id("a"))
    await trial.expect("L4: null", .illegalArgument) { source throws(DataSourceError) in
      _ = try await source.put(nil, in: .id("a"))
    }
    let read = try await trial.source.get("a")
    trial.expect("L4: null leaves the former value", read == stored)
  }

  private func emptyLists(_ trial: LawTrial<Source>) async throws {
    guard abilities.contains(.lists) else { return }
    try await trial.source.putAll([], forId: "a")
    let read = try await trial.source.getAll("a")
    trial.expect("L5: an empty list is a list", read.isEmpty)
  }

  private func keyTexts(_ trial: LawTrial<Source>) async throws {
    let stored = try await trial.source.put(value("7", 1), in: .id(7))
    for query in [Query.id("7"), .key("7"), .id(EntryID(7))] {
      let read = try await trial.source.get(query)
      trial.expect("L9: 7 and \"7\" meet", read == stored)
    }
    for query in [Query.id(""), .key("")] {
      await trial.expect("L9: the empty text", .illegalArgument) {
        source throws(DataSourceError) in _ = try await source.get(query)
      }
    }
    try await trial.source.put(value("\u{E9}", 1), forId: "\u{E9}")
    await trial.expect("L9: equal text is equal bytes", .notFound) {
      source throws(DataSourceError) in _ = try await source.get("e\u{301}")
    }
  }

  private func notAKey(_ trial: LawTrial<Source>) async throws {
    for key in ["all", "ids", "void", "*", "%", "a.b", "a%2Eb", "..", "/"] {
      let stored: Source.Value
      do throws(DataSourceError) {
        stored = try await trial.source.put(value(key, 1), in: .key(key))
      } catch {
        // A store may refuse a key it has no name for; it must not mistake it for another.
        trial.expect("L11: a key is refused as an argument", error.code == .illegalArgument)
        continue
      }
      let read = try await trial.source.get(.key(key))
      trial.expect("L11: \(key) is a key like any other", read == stored)
    }
    await trial.expect("L11: no other entry appears", .notFound) {
      source throws(DataSourceError) in _ = try await source.get("b")
    }
  }
}
