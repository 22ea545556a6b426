import AsyncDataSources
import DataSources

/// The laws of several entries and of refusals: L6, L7 and L12 to L17.
struct QueryLaws<Source: DataSource> where Source.Value: Equatable {
  let abilities: DataSourceLaws<Source>.Abilities
  let value: @Sendable (String, Int) -> Source.Value

  /// Each is tried on a data source of its own.
  var all: [(LawTrial<Source>) async throws -> Void] {
    [
      refusals, argumentsLast, readingIDs, writingIDs, deletingIDs, everything, pages,
      deletingEverything, objects,
    ]
  }

  private func refusals(_ trial: LawTrial<Source>) async throws {
    let one = value("a", 1)
    let page = Query.page(offset: 0, limit: 1)
    let never: [Query] = [.void, .ids(["a"]), .all(), page, .timeRange(0..<1)]
    for query in never + (abilities.contains(.object) ? [] : [.object(one)]) {
      await trial.expect("L12: get \(query)", .queryNotSupported) {
        source throws(DataSourceError) in _ = try await source.get(query)
      }
      await trial.expect("L12: put \(query)", .queryNotSupported) {
        source throws(DataSourceError) in _ = try await source.put(one, in: query)
      }
    }
    for query in [.void, page] + (abilities.contains(.object) ? [] : [Query.object(one)]) {
      await trial.expect("L12: delete \(query)", .queryNotSupported) {
        source throws(DataSourceError) in try await source.delete(query)
      }
    }
    for query in [Query.void, .object(one)] + unreadable {
      await trial.expect("L12: getAll \(query)", .queryNotSupported) {
        source throws(DataSourceError) in _ = try await source.getAll(query)
      }
    }
    for query in [Query.void, .object(one), page] + unwritable {
      await trial.expect("L12: putAll \(query)", .queryNotSupported) {
        source throws(DataSourceError) in _ = try await source.putAll([one], in: query)
      }
    }
  }

  /// What `getAll` does not take, by what the data source can do.
  private var unreadable: [Query] {
    var queries: [Query] = []
    if !abilities.contains(.lists) { queries += [.id("a"), .key("a")] }
    if !abilities.contains(.ids) { queries += [.ids(["a"])] }
    if !abilities.contains(.all) { queries += [.all(), .page(offset: 0, limit: 1)] }
    if !abilities.contains(.refinement) {
      queries += [.all(where: .isNull("a")), .all(orderedBy: [Order("a")])]
    }
    return queries
  }

  /// What `putAll` does not take, by what the data source can do.
  private var unwritable: [Query] {
    var queries: [Query] = []
    if !abilities.contains(.lists) { queries += [.id("a"), .key("a")] }
    if !abilities.contains(.ids) { queries += [.ids(["a"])] }
    if !abilities.contains(.rows) { queries += [.all()] }
    return queries
  }

  private func argumentsLast(_ trial: LawTrial<Source>) async throws {
    await trial.expect("L7: the query comes before its arguments", .queryNotSupported) {
      source throws(DataSourceError) in _ = try await source.put(nil, in: .void)
    }
    await trial.expect("L7: the query comes before its ids", .queryNotSupported) {
      source throws(DataSourceError) in _ = try await source.get(.ids([""]))
    }
    await trial.expect("L7: arguments come before the entry", .illegalArgument) {
      source throws(DataSourceError) in _ = try await source.get("")
    }
    guard abilities.contains(.ids) else { return }
    await trial.expect("L7: arguments come before the entries", .illegalArgument) {
      source throws(DataSourceError) in _ = try await source.getAll(.ids(["nobody", ""]))
    }
  }

  private func readingIDs(_ trial: LawTrial<Source>) async throws {
    guard abilities.contains(.ids) else { return }
    let a = try await trial.source.put(value("a", 1), in: .id("a"))
    let b = try await trial.source.put(value("b", 2), in: .id("b"))
    let read = try await trial.source.getAll(.ids(["b", "a", "b"]))
    trial.expect("L13: in the order of the ids, twice twice", read == [b, a, b])
    let error = await trial.error { source throws(DataSourceError) in
      _ = try await source.getAll(.ids(["x", "a", "y"]))
    }
    trial.expect("L13: missing ids are notFound", error?.code == .notFound)
    trial.expect("L13: all the missing are named", error?.missing == ["x", "y"])
    let none = try await trial.source.getAll(.ids([]))
    trial.expect("L13: of no ids there are no objects", none.isEmpty)
  }

  private func writingIDs(_ trial: LawTrial<Source>) async throws {
    guard abilities.contains(.ids) else { return }
    let stored = try await trial.source.putAll(
      [value("a", 1), value("b", 2)], in: .ids(["a", "b"]))
    let (a, b) = (try await trial.source.get("a"), try await trial.source.get("b"))
    trial.expect("L14: each value is an object of its own", stored == [a, b])
    let wrong: [([EntryID], Int)] = [
      (["a", "c"], 1), (["a"], 2), (["a", "a"], 2), ([7, "7"], 2),
    ]
    for (ids, count) in wrong {
      let values = (0..<count).map { value("a", 3 + $0) }
      await trial.expect("L14: one value per id, no id twice", .illegalArgument) {
        source throws(DataSourceError) in _ = try await source.putAll(values, in: .ids(ids))
      }
    }
    let after = try await trial.source.get("a")
    trial.expect("L6: a call that fails has changed nothing", after == a)
  }

  private func deletingIDs(_ trial: LawTrial<Source>) async throws {
    guard abilities.contains(.ids) else { return }
    for key in ["a", "b", "c"] { try await trial.source.put(value(key, 1), forId: EntryID(key)) }
    try await trial.source.delete(.ids(["a", "nobody", "c", "a"]))
    let missing = await trial.error { source throws(DataSourceError) in
      _ = try await source.getAll(.ids(["a", "b", "c"]))
    }
    trial.expect("L12: each of the ids is deleted", missing?.missing == ["a", "c"])
  }

  private func everything(_ trial: LawTrial<Source>) async throws {
    guard abilities.contains(.all) else { return }
    if abilities.contains(.vanishes) {
      await trial.expect("L25: an empty store has nothing to list", .notFound) {
        source throws(DataSourceError) in _ = try await source.getAll(.all())
      }
    } else {
      let empty = try await trial.source.getAll(.all())
      trial.expect("L15: an empty store answers an empty list", empty.isEmpty)
    }
    let expected = try await fill(trial.source)
    let read = try await trial.source.getAll(.all())
    trial.expect("L15: objects, then elements of lists, in the order of bytes", read == expected)
  }

  private func pages(_ trial: LawTrial<Source>) async throws {
    guard abilities.contains(.all) else { return }
    let expected = try await fill(trial.source)
    for offset in 0...expected.count + 1 {
      for limit in 0...expected.count + 1 {
        let page = try await trial.source.getAll(.page(offset: offset, limit: limit))
        trial.expect(
          "L16: page \(offset) \(limit)",
          page == Array(expected.dropFirst(offset).prefix(limit)))
      }
    }
    let last = try await trial.source.getAll(.page(offset: .max, limit: .max))
    trial.expect("L16: beyond the end there is nothing", last.isEmpty)
    for (offset, limit) in [(-1, 1), (0, -1)] {
      await trial.expect("L16: a negative number", .illegalArgument) {
        source throws(DataSourceError) in
        _ = try await source.getAll(.page(offset: offset, limit: limit))
      }
    }
  }

  private func deletingEverything(_ trial: LawTrial<Source>) async throws {
    guard abilities.contains(.all) else { return }
    _ = try await fill(trial.source)
    try await trial.source.delete(.all())
    if !abilities.contains(.vanishes) {
      let left = try await trial.source.getAll(.all())
      trial.expect("L15: deleting all leaves nothing", left.isEmpty)
    }
    await trial.expect("L15: deleting all deletes each", .notFound) {
      source throws(DataSourceError) in _ = try await source.get("b")
    }
  }

  private func objects(_ trial: LawTrial<Source>) async throws {
    guard abilities.contains(.object) else { return }
    let stored = try await trial.source.put(nil, in: .object(value("a", 1)))
    let found = try await trial.source.get(.object(value("a", 2)))
    let read = try await trial.source.get("a")
    trial.expect("L17: an object is stored under its id", read == stored)
    trial.expect("L17: an object finds the one of its id", found == stored)
    let both = value("a", 1)
    await trial.expect("L4: a value given twice", .illegalArgument) {
      source throws(DataSourceError) in _ = try await source.put(both, in: .object(both))
    }
    try await trial.source.delete(.object(value("a", 3)))
    await trial.expect("L17: delete removes that entry", .notFound) {
      source throws(DataSourceError) in _ = try await source.get("a")
    }
  }

  /// Puts objects and, where it can, lists under keys that are not in order; gives what `all` is.
  private func fill(_ source: Source) async throws(DataSourceError) -> [Source.Value] {
    var objects: [(String, Source.Value)] = []
    for (number, key) in ["b", "a\u{301}", "\u{E1}", "B", "aa", "a"].enumerated() {
      objects.append((key, try await source.put(value(key, number), in: .key(key))))
    }
    var lists: [Source.Value] = []
    if abilities.contains(.lists) {
      let second = try await source.putAll([value("d", 10), value("d", 11)], in: .id("d"))
      _ = try await source.putAll([], in: .id("bb"))
      lists = try await source.putAll([value("ab", 12)], in: .id("ab")) + second
    }
    return objects.sorted { EntryID($0.0) < EntryID($1.0) }.map(\.1) + lists
  }
}
