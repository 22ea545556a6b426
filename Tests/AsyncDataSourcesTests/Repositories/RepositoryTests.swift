import AsyncDataSources
import DataSources
import GatheredKitTesting
import Ground
import Streams
import Testing

struct RepositoryTests {
  private let main = RecordingSource()
  private let cache = RecordingSource()
  private let reported = Monitor<[DataSourceError.Code]>([])

  private func repository(_ validator: Validation<Int> = .none) -> Repository<Int> {
    Repository(
      main: main, cache: cache, validator: validator,
      onCacheFailure: { error in reported.withLock { $0.append(error.code) } })
  }

  /// What both were asked since `before`.
  private func calls(after before: (Int, Int)) -> [[String]] {
    [Array(main.calls.dropFirst(before.0)), Array(cache.calls.dropFirst(before.1))]
  }

  private var count: (Int, Int) { (main.calls.count, cache.calls.count) }

  @Test func `L47: a valid cached value asks main nothing, a miss costs three calls`() async throws
  {
    _ = try await main.put(1, in: .id("a"))
    let before = count
    #expect(try await repository().get(.id("a")) == 1)
    #expect(calls(after: before) == [["get"], ["get", "put 1"]])
    let then = count
    #expect(try await repository().get(.id("a"), .cacheSync(.always)) == 1)
    #expect(calls(after: then) == [[], ["get"]])
  }

  @Test func `L46: other errors of the cache are the answer`() async throws {
    _ = try await main.put(1, in: .id("a"))
    for miss in [DataSourceError.Code.notFound, .notValid, .serialization] {
      cache.fail(with: miss)
      #expect(try await repository().get(.id("a")) == 1)
    }
    let before = main.calls.count
    for other in [DataSourceError.Code.failed, .queryNotSupported, .notImplemented, .timeout] {
      cache.fail(with: other)
      let answer = await code { () throws(DataSourceError) in
        _ = try await repository().get(.id("a"), .cacheSync(.always))
      }
      #expect(answer == other)
    }
    #expect(main.calls.count == before)
  }

  @Test func `L48: the first answer is what the second is given, and a failure says what is done`()
    async throws
  {
    #expect(try await repository().put(1, in: .id("a")) == 1)
    #expect(calls(after: (0, 0)) == [["put 1"], ["put 1"]])
    main.fail(with: .failed)
    var before = count
    let first = await failure { () throws(DataSourceError) in
      try await repository().put(2, in: .id("a"))
    }
    #expect(first?.completed == [])
    #expect(calls(after: before)[1] == [])
    cache.fail(with: .failed)
    let second = await failure { () throws(DataSourceError) in
      try await repository().put(2, in: .id("a"))
    }
    #expect(second?.completed == ["main"])
    main.fail(with: .failed)
    let reverse = await failure { () throws(DataSourceError) in
      try await repository().delete(.id("a"), .cacheSync())
    }
    #expect(reverse?.completed == ["cache"])
    _ = try await main.put(5, in: .id("b"))
    before = count
    cache.fail(with: .notFound, .failed)
    #expect(try await repository().get(.id("b")) == 5)
    #expect(reported.withLock { $0 } == [.failed])
  }

  @Test func `L49: the fallback is asked after a miss and a failure of main`() async throws {
    let stale = Validation<Int> { _ in false }
    _ = try await cache.put(1, in: .id("a"))
    main.fail(with: .timeout)
    let never = await failure { () throws(DataSourceError) in
      _ = try await repository(stale).get(.id("a"))
    }
    #expect(never?.code == .timeout)
    #expect(never?.causes.map(\.code) == [.notValid])
    main.fail(with: .timeout)
    let asked = Monitor<[DataSourceError.Code]>([])
    let fallback = Fallback.when { main, cache in
      asked.withLock { $0 += [main.code, cache.code] }
      return true
    }
    #expect(try await repository(stale).get(.id("a"), .cacheSync(fallback)) == 1)
    #expect(asked.withLock { $0 } == [.timeout, .notValid])
    main.fail(with: .failed)
    let nothing = await failure { () throws(DataSourceError) in
      _ = try await repository(stale).get(.id("x"), .cacheSync(.always))
    }
    #expect(nothing?.code == .notFound)
    #expect(nothing?.causes.map(\.code) == [.failed, .notFound])
  }

  @Test func `2.5: each operation asks the stores of its row`() async throws {
    let repository = repository(Validation { $0 < 10 })
    _ = try await repository.put(20, in: .id("a"), .cache())
    #expect(main.calls.isEmpty)
    #expect(
      await code { () throws(DataSourceError) in
        _ = try await repository.get(.id("a"), .cache())
      } == .notValid)
    #expect(try await repository.get(.id("a"), .cache(ignoringValidity: true)) == 20)
    _ = try await repository.put(3, in: .id("a"), .main)
    #expect(try await repository.get(.id("a"), .main) == 3)
    #expect(try await repository.get(.id("a"), .mainSync) == 3)
    #expect(try await cache.get("a") == 3)
    _ = try await repository.putAll([4], in: .id("l"), .cacheSync())
    #expect(try await main.getAll("l") == [4])
    let alone = Repository<Int>(main: main)
    #expect(try await alone.get(.id("a"), .cache()) == 3)
  }

  @Test func `L50: the first strategy that knows decides`() throws {
    let clock = ManualClock(now: Moment(nanoseconds: 1_000))
    let aged = ValidationStrategy<Int>.age(below: .nanoseconds(100), clock: clock) { value in
      value < 0 ? .unknown : value == 0 ? .never : .at(Moment(nanoseconds: Int64(value)))
    }
    let offline = Monitor(false)
    let reachable = ValidationStrategy<Int>.reachability { !offline.withLock { $0 } }
    let flagged = ValidationStrategy<Int>.flag { $0 == 950 }
    func isValid(_ value: Int, _ strategies: [ValidationStrategy<Int>], _ otherwise: Verdict)
      -> Bool
    {
      let validation = Validation(strategies, otherwise: otherwise)
      return (try? validation.check.check(.object(value))) != nil
    }
    #expect(isValid(901, [aged], .invalid))
    #expect(!isValid(900, [aged], .valid))
    #expect(!isValid(0, [aged], .valid))
    #expect(isValid(-1, [aged], .valid) && !isValid(-1, [aged], .invalid))
    #expect(!isValid(950, [flagged, aged], .valid) && isValid(950, [aged, flagged], .invalid))
    #expect(!isValid(900, [reachable, aged], .invalid))
    offline.withLock { $0 = true }
    #expect(isValid(900, [reachable, aged], .invalid))
  }
}
