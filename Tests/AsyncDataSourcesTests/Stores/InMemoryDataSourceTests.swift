import AsyncDataSources
import DataSources
import GatheredKitTesting
import Testing

struct InMemoryDataSourceTests {
  private static func text(_ key: String, _ number: Int) -> String { "\(key):\(number)" }

  @Test func `L1 to L17 hold for the reference`() async {
    let plain = DataSourceLaws([.lists, .ids, .all], value: Self.text) {
      InMemoryDataSource<String>()
    }
    #expect(await plain.violations() == [])
    let keyed = DataSourceLaws([.lists, .ids, .all, .object], value: Self.text) {
      InMemoryDataSource<String> { value in
        value.split(separator: ":").first.map { EntryID(String($0)) }
      }
    }
    #expect(await keyed.violations() == [])
  }

  @Test func `the laws see a store that breaks them`() async {
    let laws = DataSourceLaws([.lists, .ids, .all], value: Self.text) {
      // Answers of `all` in the wrong order.
      DataSourceQueryMapper(
        InMemoryDataSource<String>(),
        getAll: { query in
          if case .ids(let ids) = query { .ids(ids.reversed()) } else { query }
        })
    }
    let violations = await laws.violations()
    #expect(violations.contains { $0.hasPrefix("L13") })
    let withoutLists = DataSourceLaws([.lists, .ids], value: Self.text) {
      InMemoryDataSource<String>()
    }
    #expect(await withoutLists.violations().contains { $0.hasPrefix("L12: getAll") })
  }

  @Test func `L17: an object without an id is an illegal argument`() async {
    let store = InMemoryDataSource<Int> { $0 > 0 ? EntryID($0) : nil }
    await #expect(throws: DataSourceError(.illegalArgument)) {
      try await store.put(nil, in: .object(-1))
    }
    await #expect(throws: DataSourceError(.illegalArgument)) { try await store.get(.object("1")) }
  }

  @Test func `L19: the void store has no verb for any query`() async {
    let store = VoidDataSource(Int.self)
    let queries: [Query] = [
      .void, .id("a"), .id(""), .ids([]), .all(), .page(offset: -1, limit: 0),
    ]
    for query in queries {
      let none = DataSourceError(.notImplemented)
      await #expect(throws: none) { try await store.get(query) }
      await #expect(throws: none) { try await store.getAll(query) }
      await #expect(throws: none) { try await store.put(nil, in: query) }
      await #expect(throws: none) { try await store.putAll([], in: query) }
      await #expect(throws: none) { try await store.delete(query) }
    }
  }

  @Test func `L20: calls of several tasks behave as made one after the other`() async throws {
    let store = InMemoryDataSource<Int>()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for number in 0..<200 {
            let ids = [EntryID(number), EntryID(number + 1)]
            _ = try? await store.putAll([task, task], in: .ids(ids))
            let pair = try? await store.getAll(.ids(ids))
            #expect(pair?.count == 2)
          }
        }
      }
    }
    #expect(try await store.getAll(.all()).count == 201)
  }
}
