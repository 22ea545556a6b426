import GatheredKitTesting
import Glibc
import Machine
import Testing

struct DatabaseTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/a.sqlite"
  }

  private func open() throws -> Database { try Database(path, for: .writing, busyTimeout: 50) }

  @Test func `every value comes back as it was bound`() throws {
    let database = try open()
    let values: [DatabaseValue] = [
      .null, .integer(.min), .real(-0.1), .text("a\0é\u{301}"), .text(""), .blob([]),
      .blob([0, 255]),
    ]
    for value in values { #expect(try database.first("SELECT ?1", [value]) == value) }
  }

  @Test func `a row that is larger than the limit fails, and others are read`() throws {
    let (writer, reader) = (try open(), try open())
    try writer.run("CREATE TABLE t(id, x)")
    for size in [1000, 1001, 100_000] {
      let bytes = [UInt8](repeating: 1, count: size)
      try writer.run("INSERT INTO t VALUES(?1, ?2)", [.integer(Int64(size)), .blob(bytes)])
    }
    reader.limitValues(to: 1000)
    let size = { try reader.first("SELECT x FROM t WHERE id=?1", [.integer($0)]) }
    #expect(try size(1000) == .blob([UInt8](repeating: 1, count: 1000)))
    for large in [1001, 100_000] as [Int64] {
      #expect(throws: DatabaseError.self) { try size(large) }
    }
    #expect(try size(1) == .null)
  }

  @Test func `a transaction that fails is taken back`() throws {
    let database = try open()
    try database.run("CREATE TABLE t(x)")
    let error = #expect(throws: DatabaseError.self) {
      try database.transaction { () throws(DatabaseError) in
        try database.run("INSERT INTO t VALUES(1)")
        try database.run("INSERT INTO nothing VALUES(1)")
      }
    }
    #expect(error?.message.contains("nothing") == true)
    #expect(!database.isInTransaction)
    #expect(try database.first("SELECT count(*) FROM t") == .integer(0))
  }

  @Test func `who does not get his turn is told so`() throws {
    let (first, second) = (try open(), try open())
    try first.run("BEGIN EXCLUSIVE")
    let error = #expect(throws: DatabaseError.self) { try second.run("BEGIN IMMEDIATE") }
    #expect(error?.kind == .busy)
    first.rollBack()
    try second.run("BEGIN IMMEDIATE")
  }

  @Test func `a durable file has a log and synchronises every commit, and is prepared once`() throws
  {
    for _ in 0..<2 {
      let database = try Database.durable(path, busyTimeout: 50) {
        (database) throws(DatabaseError) in
        try database.run("CREATE TABLE IF NOT EXISTS t(x)")
      }
      #expect(try database.first("PRAGMA journal_mode") == .text("wal"))
      #expect(try database.first("PRAGMA synchronous") == .integer(3))
    }
    let other = try open()
    try other.run("BEGIN IMMEDIATE")
    let error = #expect(throws: DatabaseError.self) {
      try Database.durable(path, busyTimeout: 50) { (database) throws(DatabaseError) in
        try database.run("BEGIN IMMEDIATE")
      }
    }
    #expect(error?.kind == .busy)
  }

  @Test func `a fork's child neither uses nor closes what its parent has open`() throws {
    let database = try open()
    try database.run("CREATE TABLE t(x)")
    // Swift hides fork(2), rightly; here the child does nothing but answer.
    let fork = try SharedLibrary("libc.so.6", package: "libc6")
      .function("fork", as: (@convention(c) () -> Int32).self)
    let child = fork()
    if child == 0 {
      let isRefused = (try? database.run("SELECT 1")) == nil
      _exit(isRefused ? 7 : 1)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    #expect(status >> 8 & 0xFF == 7)
    try database.run("INSERT INTO t VALUES(1)")
  }

  @Test func `a full disk and a damaged file are told apart`() throws {
    let database = try open()
    try database.run("CREATE TABLE t(x)")
    try database.run("PRAGMA max_page_count=4")
    let full = #expect(throws: DatabaseError.self) {
      try database.run("INSERT INTO t VALUES(zeroblob(100000))")
    }
    #expect(full?.kind == .failed && full?.systemCode == ENOSPC)
    try folder.write(Array(repeating: 66, count: 4096), to: "/b.sqlite")
    let damaged = #expect(throws: DatabaseError.self) {
      try Database(folder.path + "/b.sqlite", for: .writing, busyTimeout: 0)
        .run("SELECT * FROM sqlite_master")
    }
    #expect(damaged?.kind == .damaged)
    let missing = #expect(throws: DatabaseError.self) {
      try Database(folder.path + "/none/c.sqlite", for: .writing, busyTimeout: 0)
    }
    #expect(missing?.systemCode == ENOENT)
  }
}
