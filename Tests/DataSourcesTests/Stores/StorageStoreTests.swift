import DataSources
import GatheredKitTesting
import Ground
import Machine
import Testing

/// On which thread a storage answers (data sources 6).
struct StorageStoreTests {
  private let folder: TemporaryFolder
  private let path: String
  private let workers = StoreWorkers()

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/a.sqlite"
  }

  private func storage(_ layout: StorageLayout = .regular) throws -> DataAccess<String> {
    let store = try StorageStore(
      "a", layout, type: .string, path: path, busyTimeout: .seconds(5), among: workers)
    return DataAccess(store, StorageStore.abilities(layout), type: .string)
  }

  /// What a call is answered before it returns; nil when that comes later.
  private func atOnce(
    _ verb: Verb, _ query: Query, of access: DataAccess<String>
  ) -> CallResult<String>? {
    var answer: CallResult<String>?
    let isAnswered = access.performAtOnce?(Call(verb, query)) { answer = $0 }
    return isAnswered == true ? answer : nil
  }

  /// A storage that has been read, so that its file is open.
  private func read(_ layout: StorageLayout = .regular) throws -> DataAccess<String> {
    let access = try storage(layout)
    _ = try access.future(.put, .id("a"), .object("1")).wait()
    // The first is left to the worker, which opens the file.
    while atOnce(.get, .id("a"), of: access) == nil {
      _ = try access.future(.get, .id("a")).wait()
    }
    return access
  }

  @Test(arguments: [StorageLayout.regular, .prefix("p.%"), .root("r")])
  func `section 6: a get that need not wait is answered on the caller's thread`(
    layout: StorageLayout
  ) throws {
    let access = try read(layout)
    let found = atOnce(.get, .id("a"), of: access)
    guard case .success(.object("1"))? = found else { return #expect(Bool(false), "\(found)") }
    // What is not there is known as well, and has the error of every store (L3, L24).
    let missing = atOnce(.get, .key("b"), of: access)
    guard case .failure(let error)? = missing else { return #expect(Bool(false), "\(missing)") }
    #expect(error == DataSourceError(.notFound))
    #expect(error.missing == ["b"])
    // In C and Swift it is the same call.
    #expect(access.future(.get, .id("a")).state == .ready)
  }

  @Test(arguments: [StorageLayout.regular, .prefix("p.%"), .root("r")])
  func `section 6: of many writes at once each takes effect in its turn`(
    layout: StorageLayout
  ) throws {
    let access = try storage(layout)
    var futures: [Future<CallPayload<String>>] = []
    for number in 0..<500 {
      let key = EntryID(number % 70)
      futures.append(access.future(.put, .id(key), .object("\(number)")))
      // What is no row, or a large one, stands between some of them.
      if number % 90 == 89 { futures.append(access.future(.delete, .id(key))) }
      if number % 50 == 49 {
        futures.append(access.future(.putAll, .id("list"), .list(["\(number)"])))
      }
      let long = String(repeating: "x", count: 1000)
      if number % 60 == 59 { futures.append(access.future(.put, .id("long"), .object(long))) }
    }
    for future in futures { _ = try future.wait() }
    for key in 0..<70 {
      let last = key + 490 < 500 ? key + 490 : key + 420
      let found = try? access.future(.get, .id(EntryID(key))).wait()
      // The last put of a key was removed where it was followed by a removal.
      let isRemoved = last % 90 == 89
      guard case .object(let text)? = found else {
        #expect(isRemoved, "\(key)")
        continue
      }
      #expect(text == "\(last)" && !isRemoved)
    }
    guard case .list(let list) = try access.future(.getAll, .id("list")).wait() else {
      return #expect(Bool(false))
    }
    #expect(list == ["499"])
  }

  @Test func `section 6: what may wait is done on a worker`() throws {
    let access = try read()
    #expect(atOnce(.getAll, .id("a"), of: access) == nil)
    #expect(atOnce(.getAll, .ids(["a"]), of: access) == nil)
    #expect(atOnce(.delete, .id("a"), of: access) == nil)
    #expect(atOnce(.get, .id(""), of: access) == nil)
    // A file that is not open, and one that is not there.
    #expect(atOnce(.get, .id("a"), of: try storage()) == nil)
    // What takes long to read.
    let long = String(repeating: "x", count: 1 << 20)
    _ = try access.future(.put, .id("long"), .object(long)).wait()
    #expect(atOnce(.get, .id("long"), of: access) == nil)
    guard case .object(long) = try access.future(.get, .id("long")).wait() else {
      return #expect(Bool(false))
    }
  }

  @Test func `section 6: a get behind a write of its store waits for it`() throws {
    let access = try read()
    // Another writer has the file: what this store writes now has to wait.
    let other = try Database(path, for: .writing, busyTimeout: 5000)
    try other.run("BEGIN IMMEDIATE")
    let writing = access.future(.put, .id("a"), .object("2"))
    #expect(atOnce(.get, .id("a"), of: access) == nil)
    let reading = access.future(.get, .id("a"))
    // Another store on the same file reads what there is.
    _ = try read(.prefix("q"), besides: other)
    #expect(writing.outcome == nil && reading.outcome == nil)
    other.rollBack()
    guard case .object("2") = try reading.wait() else { return #expect(Bool(false)) }
    _ = try writing.wait()
  }

  /// Reads while another connection has a transaction open; nothing is there, and nothing waits.
  private func read(_ layout: StorageLayout, besides other: Database) throws {
    let access = try storage(layout)
    #expect(other.isInTransaction)
    #expect(throws: DataSourceError(.notFound)) { try access.future(.get, .id("a")).wait() }
  }

  @Test func `section 6: every call of a thread sees the ones before`() throws {
    let access = try read()
    for number in 2..<200 {
      let written = access.future(.put, .id("a"), .object("\(number)"))
      let seen = access.future(.get, .id("a"))
      guard case .object(let value) = try seen.wait() else { return #expect(Bool(false)) }
      #expect(value == "\(number)")
      _ = try written.wait()
      guard case .object(value) = try access.future(.get, .id("a")).wait() else {
        return #expect(Bool(false))
      }
    }
  }

  @Test func `section 6: threads that read at once hear the same`() throws {
    let access = try read()
    let wrong = Monitor(0)
    let threads = try (0..<4).map { _ in
      try WorkerThread(named: "reader") {
        for _ in 0..<500 {
          if case .object("1")? = try? access.future(.get, .id("a")).wait() { continue }
          wrong.withLock { $0 += 1 }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(wrong.withLock { $0 } == 0)
  }

  @Test func `a file that was removed or replaced is soon read no more`() throws {
    let access = try read()
    for name in try RootedFileTree.live.entries(of: folder.path) { try folder.remove("/" + name) }
    let isGone = Patience.wait {
      if case .failure? = access.future(.get, .id("a")).awaited { true } else { false }
    }
    #expect(isGone)
    // What a store has written it reads, whatever it has read before.
    let new = try read()
    for name in try RootedFileTree.live.entries(of: folder.path) { try folder.remove("/" + name) }
    _ = try new.future(.put, .id("a"), .object("3")).wait()
    guard case .object("3") = try new.future(.get, .id("a")).wait() else {
      return #expect(Bool(false))
    }
  }

  @Test func `L59: after the end of its workers nothing is read`() throws {
    let access = try read()
    workers.end()
    #expect(atOnce(.get, .id("a"), of: access) == nil)
    #expect(throws: DataSourceError(.cancelled)) { try access.future(.get, .id("a")).wait() }
  }
}

extension Future {
  /// The outcome, once it is there.
  fileprivate var awaited: Outcome? {
    _ = try? wait()
    return outcome
  }
}
