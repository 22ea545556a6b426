import AsyncDataSources
import DataSources
import GatheredKitTesting
import Glibc
import Machine
import Testing

/// L26 and L33 among several processes, of which some are killed.
struct DurabilityTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func child(_ role: String, _ number: Int = 0) throws -> ChildProcess {
    try ChildProcess.repeating(
      "DurabilityScenes",
      environment: [
        "GKIT_ROLE=\(role)", "GKIT_PLACE=\(folder.path)", "GKIT_NUMBER=\(number)",
      ])
  }

  @Test(arguments: ["storage", "files"])
  func `L26 and L33: a writer killed at any moment leaves whole entries`(store: String) async throws
  {
    var generator = SystemRandomNumberGenerator()
    let subject = Subject(store, folder.path)
    var last = -1
    for _ in 0..<6 {
      // Nothing is awaited while the child writes: other tests may keep the threads of tasks for
      // minutes.
      let child = try child(store, last + 1)
      let place = folder.path
      #expect(Patience.wait { (try? Subject.acknowledged(place)) ?? last > last })
      usleep(UInt32.random(in: 0..<30_000, using: &generator))
      child.end()
      // What had been answered is there; what is there is whole and of one call.
      let acknowledged = try Subject.acknowledged(folder.path)
      last = try await subject.newest()
      #expect(last >= acknowledged)
    }
  }

  @Test(arguments: ["storage-count", "files-count"])
  func `L26: processes that write at once lose nothing of each other`(role: String) async throws {
    let children = try (1...2).map { try child(role, $0) }
    let subject = Subject(role.replacing("-count", with: ""), folder.path)
    try await subject.count(by: 0)
    for child in children { #expect(child.waitForExit() == 0) }
    for writer in 0...2 {
      #expect(try await subject.counted(by: writer) == Subject.amount)
    }
  }

  @Test func `L26: who cannot have his turn in time is told timeout, and nothing is lost`()
    async throws
  {
    let path = folder.path + "/a.sqlite"
    let store = try DeviceStorageDataSource<Int>(path: path, busyTimeout: .milliseconds(50))
    try await store.put(1, forId: "a")
    let other = try Database(path, for: .writing, busyTimeout: 0)
    try other.run("BEGIN IMMEDIATE")
    await #expect(throws: DataSourceError(.timeout)) { try await store.put(2, forId: "a") }
    // Readers need no turn.
    #expect(try await store.get("a") == 1)
    other.rollBack()
    try await store.put(3, forId: "a")
    #expect(try await store.get("a") == 3)
  }

  @Test func `L6: a value that finds no room fails alone, and the others are stored`() throws {
    // In a child, whose files may not grow beyond a size: a disk that is full.
    #expect(try child("full").waitForExit() == 0)
  }

  @Test func `L26: puts made at once by many tasks are all stored`() async throws {
    let path = folder.path + "/a.sqlite"
    let store = try DeviceStorageDataSource<Int>(layout: .prefix("p"), path: path)
    try await store.put(0, forId: "0")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...500 {
        group.addTask { _ = try await store.put(number, forId: EntryID(number)) }
      }
      try await group.waitForAll()
    }
    #expect(try await store.getAll(.all()).sorted() == Array(0...500))
  }
}
