import AsyncDataSources
import DataSources
import GatheredKitTesting
import Ground
import Streams
import Testing

struct DecoratorsTests {
  private let inner = RecordingSource()
  private let clock = ManualClock()

  @Test func `L37: the laws of data sources hold behind every decorator, and nested`() async {
    await keepsLaws { $0.map(to: { $0 }, from: { $0 }) }
    await keepsLaws { DataSourceQueryMapper($0) }
    await keepsLaws { $0.validated(validatePut: true) { _ in true } }
    await keepsLaws { DataSourceAssembler(get: $0, put: $0, delete: $0) }
    await keepsLaws { try RetryDataSource($0, 2, clock: clock) }
    await keepsLaws { $0.cached(clock: clock) }
    await keepsLaws { $0.cached(capacity: 1, clock: clock) }
    await keepsLaws { DebugDataSource($0, clock: clock, log: { _ in }) }
    await keepsLaws { Foreign(inner: $0) }
    await keepsLaws {
      try Foreign(inner: $0.cached(clock: clock)).retrying(1, clock: clock).map(
        to: { "<\($0)" }, from: { String($0.dropFirst()) }
      ).cached(clock: clock)
    }
  }

  private func keepsLaws<Source: DataSource<String>>(
    _ decorate: @escaping @Sendable (InMemoryDataSource<String>) throws -> Source
  ) async {
    let laws = DataSourceLaws<Source>([.lists, .ids, .all, .object], value: { "<\($0):\($1)" }) {
      try decorate(
        InMemoryDataSource<String> { value in
          value.drop { $0 == "<" }.split(separator: ":").first.map { EntryID(String($0)) }
        })
    }
    #expect(await laws.violations() == [])
  }

  @Test func `L38: a mapper maps outwards and inwards, each value once`() async throws {
    let count = Monitor(0)
    let mapped = inner.map(
      to: { "\($0)" },
      from: { (text: String) in
        count.withLock { $0 += 1 }
        guard let number = Int(text) else { throw Oddity() }
        return number
      })
    #expect(try await mapped.put("1", in: .id("a")) == "1")
    #expect(try await mapped.get("a") == "1")
    #expect(try await mapped.putAll(["3", "2"], in: .id("b")) == ["3", "2"])
    #expect(count.withLock { $0 } == 3)
    let calls = inner.calls
    let error = await failure { () throws(DataSourceError) in
      _ = try await mapped.putAll(["1", "x"], in: .id("a"))
    }
    #expect(error?.code == .serialization)
    #expect(error?.causes.map(\.code) == [.unknown])
    #expect(inner.calls == calls)
    #expect(
      await code { () throws(DataSourceError) in _ = try await mapped.put(nil, in: .id("a")) }
        == .illegalArgument)
    #expect(inner.calls.last == "put null")
    try await mapped.delete("a")
    #expect(count.withLock { $0 } == 5)
  }

  @Test func `L38: an error of a mapper is the call's error`() async throws {
    let mapped = inner.map(
      to: { (_: Int) -> Int in throw DataSourceError(.notValid) }, from: { $0 })
    #expect(
      await code { () throws(DataSourceError) in _ = try await mapped.put(1, in: .id("a")) }
        == .notValid)
    #expect(try await inner.get("a") == 1)
  }

  @Test func `L39: each verb may have its own function of queries, the rest pass`() async throws {
    let mapped = DataSourceQueryMapper(inner, get: { _ in .id("b") })
    try await mapped.put(1, forId: "a")
    try await mapped.put(2, forId: "b")
    #expect(try await mapped.get("a") == 2)
    #expect(try await mapped.getAll(.ids(["a"])) == [1])
  }

  @Test func `L40: one bad element makes the answer invalid`() async throws {
    let valid = inner.validated(emptyListIsValid: false) { $0 < 10 }
    try await valid.put(10, forId: "a")
    try await inner.putAll([1, 10], forId: "b")
    try await inner.putAll([], forId: "c")
    for call in ["a", "b", "c"] {
      let answer = await code { () throws(DataSourceError) in
        if call == "a" {
          _ = try await valid.get(.key(call))
        } else {
          _ = try await valid.getAll(.key(call))
        }
      }
      #expect(answer == .notValid)
    }
    #expect(try await inner.validated { $0 < 10 }.getAll("c") == [])
    let strict = inner.validated(validatePut: true) { $0 < 10 }
    let calls = inner.calls
    #expect(
      await code { () throws(DataSourceError) in _ = try await strict.put(10, in: .id("d")) }
        == .notValid)
    #expect(inner.calls == calls)
  }

  @Test func `L41: a missing part of an assembler has no verb`() async throws {
    let assembled = DataSourceAssembler<Int>(get: inner)
    try await inner.put(1, forId: "a")
    #expect(try await assembled.get("a") == 1)
    #expect(
      await code { () throws(DataSourceError) in _ = try await assembled.put(1, in: .id("a")) }
        == .notImplemented)
    #expect(
      await code { () throws(DataSourceError) in try await assembled.delete("a") }
        == .notImplemented)
  }

  @Test func `L45: the log tells verb, query, outcome and duration, and no value`() async throws {
    let lines = Monitor<[String]>([])
    let log: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
    let quiet = DebugDataSource(InMemoryDataSource<Int> { EntryID($0) }, clock: clock, log: log)
    try await quiet.put(nil, in: .object(4711))
    _ = try await quiet.get("4711")
    _ = await code { () throws(DataSourceError) in _ = try await quiet.getAll("x") }
    #expect(
      lines.withLock { $0 } == [
        "put object: object, 0 us", "get id 4711: object, 0 us", "getAll id x: notFound, 0 us",
      ])
    let open = DebugDataSource(inner, logsValues: true, clock: clock, log: log)
    try await open.putAll([8, 9], forId: "b")
    #expect(lines.withLock { $0.last } == "putAll id b [8, 9]: [8, 9], 0 us")
  }

  @Test func `L45: a share of the calls fails, the same in every run`() async throws {
    func outcomes(_ share: Double) async -> [Bool] {
      let debug = DebugDataSource(
        inner, failureShare: share, seed: 7, clock: clock, log: { _ in })
      var outcomes: [Bool] = []
      for _ in 0..<100 {
        let code = await code { () throws(DataSourceError) in
          _ = try await debug.put(1, in: .id("a"))
        }
        outcomes.append(code == nil)
      }
      return outcomes
    }
    let half = await outcomes(0.5)
    #expect((30...70).contains(half.count { $0 }))
    #expect(await outcomes(0.5) == half)
    #expect(await outcomes(0) == Array(repeating: true, count: 100))
    #expect(await outcomes(1) == Array(repeating: false, count: 100))
  }
}

/// A data source of a user's that has another inside.
private struct Foreign<Inner: DataSource>: DataSource {
  let inner: Inner

  func get(_ query: Query) async throws(DataSourceError) -> Inner.Value {
    try await inner.get(query)
  }
  func getAll(_ query: Query) async throws(DataSourceError) -> [Inner.Value] {
    try await inner.getAll(query)
  }
  func put(_ value: Inner.Value?, in query: Query) async throws(DataSourceError) -> Inner.Value {
    try await inner.put(value, in: query)
  }
  func putAll(
    _ values: [Inner.Value], in query: Query
  ) async throws(DataSourceError) -> [Inner.Value] { try await inner.putAll(values, in: query) }
  func delete(_ query: Query) async throws(DataSourceError) { try await inner.delete(query) }
}

private struct Oddity: Error {}
