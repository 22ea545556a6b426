import AsyncDataSources
import DataSources
import GatheredKitTesting
import Machine
import Testing

struct SQLiteDataSourceTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/rows.sqlite"
  }

  private static let columns = [
    TableColumn("id", .int), TableColumn("name", .string),
    TableColumn("level", .double, isNullable: true, isIndexed: true),
    TableColumn("on", .bool, isNullable: true), TableColumn("data", .bytes, isNullable: true),
    TableColumn("at", .time, isNullable: true),
  ]

  private func store(
    _ columns: [TableColumn] = columns, name: String = "devices"
  ) throws -> SQLiteDataSource<TableRow> {
    try SQLiteDataSource(path: path, table: TableDescription(name, columns: columns))
  }

  private func row(_ id: Int64?, _ name: String, _ level: Double? = nil) -> TableRow {
    [
      "id": id.map { .int($0) } ?? .null, "name": .string(name),
      "level": level.map { .double($0) } ?? .null, "on": .null, "data": .null, "at": .null,
    ]
  }

  private func run(_ sql: String) throws {
    try Database(path, for: .writing, busyTimeout: 1000).run(sql)
  }

  @Test func `L1 to L18 hold for rows`() async throws {
    let numbers = Files()
    let place = folder.path
    let table = try TableDescription("t", columns: [TableColumn("text", .string)])
    let laws = DataSourceLaws(
      [.ids, .all, .object, .refinement, .rows],
      value: { key, number in ["id": .string(key), "text": .string("\(number)")] },
      make: { try SQLiteDataSource(path: numbers.next(in: place), table: table) })
    #expect(await laws.violations() == [])
  }

  @Test func `L27: a missing nullable column is added, any other difference is named`() async throws
  {
    try await store().put(row(1, "a"), forId: 1)
    let more = Self.columns + [TableColumn("unit", .string, isNullable: true)]
    #expect(try await store(more).get(1)["unit"] == .null)
    let wrong: [([TableColumn], String)] = [
      (Self.columns, "unit"),
      (more + [TableColumn("serial", .int)], "serial"),
      ([TableColumn("id", .int), TableColumn("name", .int)] + more.dropFirst(2), "name"),
      ([TableColumn("id", .string)] + more.dropFirst(), "id"),
      (more.dropLast() + [TableColumn("unit", .string)], "unit"),
    ]
    for (columns, name) in wrong {
      let error = await #expect(throws: DataSourceError.self) {
        try await store(Array(columns)).get(1)
      }
      #expect(error?.code == .failed)
      #expect(error?.message.contains(name) == true)
    }
    #expect(try await store(more).get(1)["name"] == .string("a"))
  }

  @Test func `L27: two stores that add a column at once agree`() async throws {
    try await store().put(row(1, "a"), forId: 1)
    let more = Self.columns + [TableColumn("unit", .string, isNullable: true)]
    let stores = try (0..<8).map { _ in try store(more) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores { group.addTask { _ = try await store.get(1) } }
      try await group.waitForAll()
    }
  }

  @Test func `L28: a row that does not fit is serialization, and nothing is written`() async throws
  {
    let wrong: [TableRow] = [
      ["id": .int(1)], ["id": .int(1), "name": .int(2)], ["id": .int(1), "name": .null],
      ["id": .int(1), "name": .string("a"), "colour": .string("red")],
      ["id": .int(1), "name": .string("a"), "level": .double(.nan)],
      ["id": .int(1), "name": .string("a"), "on": .int(1)],
      ["id": .string("1"), "name": .string("a")],
    ]
    for bad in wrong {
      await #expect(throws: DataSourceError(.serialization)) {
        try await store().putAll([row(2, "b"), bad], in: .ids([2, 1]))
      }
    }
    #expect(try await store().getAll(.all()) == [])
  }

  @Test func `L28: text is never SQL`() async throws {
    let evil = "x'); DROP TABLE \"devices\"; -- \" \0 %"
    let columns = [
      TableColumn("id", .string), TableColumn(evil.replacing("\0", with: ""), .string),
    ]
    let store = try store(columns, name: "a\" ; b")
    let row: TableRow = ["id": .string(evil), columns[1].name: .string(evil)]
    #expect(try await store.put(row, forId: EntryID(evil)) == row)
    let found = try await store.getAll(
      .all(
        where: .compare(columns[1].name, .equal, .string(evil)), orderedBy: [Order(columns[1].name)]
      ))
    #expect(found == [row])
    await #expect(throws: DataSourceError(.illegalArgument)) {
      try await store.getAll(.all(where: .isNull("1=1; DROP TABLE x")))
    }
  }

  @Test func `L29: a row under an id has none or this one`() async throws {
    let store = try store()
    #expect(try await store.put(row(nil, "a"), forId: 7)["id"] == .int(7))
    await #expect(throws: DataSourceError(.illegalArgument)) {
      try await store.put(row(8, "a"), forId: 7)
    }
    await #expect(throws: DataSourceError(.illegalArgument)) {
      try await store.put(row(nil, "a"), forId: "seven")
    }
    for id in ["07", "+7", "7.0", "", "99999999999999999999"] where !id.isEmpty {
      await #expect(throws: DataSourceError(.notFound)) { try await store.get(.key(id)) }
    }
    #expect(try await store.get("7")["name"] == .string("a"))
  }

  @Test func `L29: a row put by object is given an id`() async throws {
    let store = try store()
    let first = try await store.put(nil, in: .object(row(nil, "a")))
    let second = try await store.put(nil, in: .object(row(nil, "b")))
    let ids = [first["id"], second["id"]]
    #expect(ids[0] != ids[1] && !ids.contains(.null))
    #expect(try await store.getAll(.all()) == [first, second])
    let texts = try self.store([TableColumn("name", .string)], name: "texts")
    let unnamed: TableRow = ["name": .string("a")]
    let named = try await texts.put(nil, in: .object(unnamed))
    guard case .string(let id)? = named["id"] else { throw DataSourceError(.unknown) }
    #expect(try await texts.get(.key(id)) == named)
  }

  @Test func `L30: putAll of rows replaces and removes none, in one step`() async throws {
    let store = try store()
    try await store.putAll([row(10, "a"), row(9, "b"), row(-1, "c")], in: .all())
    try await store.putAll([row(9, "d")], in: .all())
    let names = try await store.getAll(.all()).map { $0["name"] }
    #expect(names == ["c", "d", "a"].map { ColumnValue.string($0) })
    await #expect(throws: DataSourceError(.illegalArgument)) {
      try await store.putAll([row(10, "x"), row(nil, "y")], in: .all())
    }
    #expect(try await store.get(10)["name"] == .string("a"))
    await #expect(throws: DataSourceError(.queryNotSupported)) {
      try await store.putAll([row(1, "a")], forId: 1)
    }
  }

  @Test func `L18: every predicate finds the rows it says`() async throws {
    let store = try store()
    let levels: [Double?] = [0.1, 0.2, nil, 0.2, 0.9]
    for (id, level) in levels.enumerated() {
      try await store.put(row(Int64(id), "n\(id)", level), forId: EntryID(id))
    }
    let point2 = ColumnValue.double(0.2)
    let cases: [(Predicate, [Int64])] = [
      (.compare("level", .equal, point2), [1, 3]), (.compare("level", .notEqual, point2), [0, 4]),
      (.compare("level", .less, point2), [0]),
      (.compare("level", .lessOrEqual, point2), [0, 1, 3]),
      (.compare("level", .greater, point2), [4]),
      (.compare("level", .greaterOrEqual, .int(0)), [0, 1, 3, 4]),
      (.isNull("level"), [2]), (.not(.isNull("level")), [0, 1, 3, 4]),
      (.not(.compare("level", .equal, point2)), [0, 2, 4]),
      (.isIn("id", [.int(1), .int(2)]), [1, 2]),
      (.isIn("id", []), []), (.and([]), [0, 1, 2, 3, 4]), (.or([]), []),
      (.not(.or([])), [0, 1, 2, 3, 4]),
      (.or([.isNull("level"), .compare("name", .equal, .string("n0"))]), [0, 2]),
      (.and([.compare("level", .equal, point2), .not(.compare("id", .equal, .int(1)))]), [3]),
      (.not(.not(.compare("level", .equal, point2))), [1, 3]),
    ]
    for (predicate, ids) in cases {
      let found = try await store.getAll(.all(where: predicate))
      #expect(found.map { $0["id"] } == ids.map { .int($0) }, "\(predicate)")
      let page = try await store.getAll(.page(offset: 1, limit: 2, where: predicate))
      #expect(page == Array(found.dropFirst().prefix(2)))
    }
    let ordered = try await store.getAll(
      .all(orderedBy: [Order("level", isDescending: true), Order("id", isDescending: true)]))
    #expect(ordered.map { $0["id"] } == [4, 3, 1, 0, 2].map { .int($0) })
    try await store.delete(.all(where: .isNull("level")))
    #expect(try await store.getAll(.all()).count == 4)
  }

  @Test func `L8: a predicate that makes no sense is an illegal argument`() async throws {
    let store = try store()
    try await store.put(row(1, "a"), forId: 1)
    var deep = Predicate.isNull("level")
    for _ in 0..<1000 { deep = .not(deep) }
    let wrong: [Predicate] = [
      deep, .isNull("nothing"), .compare("name", .equal, .int(1)),
      .isIn("id", (0..<40_000).map { .int($0) }), .compare("on", .equal, .string("yes")),
    ]
    for predicate in wrong {
      await #expect(throws: DataSourceError(.illegalArgument)) {
        try await store.getAll(.all(where: predicate))
      }
    }
    await #expect(throws: DataSourceError(.illegalArgument)) {
      try await store.getAll(.all(orderedBy: [Order("nothing")]))
    }
  }

  @Test func `a file that is no database is serialization, and what others put there too`()
    async throws
  {
    try folder.write(Array(repeating: 65, count: 5000), to: "/rows.sqlite")
    let store = try store()
    await #expect(throws: DataSourceError(.serialization)) { try await store.get(1) }
    try folder.remove("/rows.sqlite")
    try await store.put(row(1, "a"), forId: 1)
    try run("UPDATE devices SET level='high'")
    await #expect(throws: DataSourceError(.serialization)) { try await store.get(1) }
  }

  @Test func `values that cannot be turned into rows are serialization`() async throws {
    struct Unfit: Error {}
    let form = TableForm<Int>(
      try TableDescription("numbers", columns: [TableColumn("n", .int)]),
      row: { number in if number < 0 { throw Unfit() } else { ["n": .int(Int64(number))] } },
      value: { row in
        if case .int(let number)? = row["n"], number < 9 { Int(number) } else { throw Unfit() }
      })
    let store = try SQLiteDataSource(path: path, form: form)
    #expect(try await store.put(3, forId: "a") == 3)
    await #expect(throws: DataSourceError(.serialization)) { try await store.put(-1, forId: "a") }
    #expect(try await store.get("a") == 3)
  }
}
