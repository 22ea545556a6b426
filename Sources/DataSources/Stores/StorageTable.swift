import Ground
import Machine

/// The table that device storages share, and the rows of one of them in it.
struct StorageTable: Sendable {
  let space: StorageSpace
  let type: StoredType?

  /// Makes the tables, unless they are there.
  static func prepare(_ database: Database) throws(DatabaseError) {
    if try database.first("PRAGMA user_version") == .integer(1) { return }
    try database.transaction { () throws(DatabaseError) in
      // The value comes last: what is skipped is then not read.
      try database.run(
        """
        CREATE TABLE IF NOT EXISTS entries(
          space TEXT NOT NULL, key TEXT NOT NULL, list INTEGER NOT NULL, type TEXT NOT NULL,
          count INTEGER NOT NULL, value BLOB NOT NULL, PRIMARY KEY(space, key)) WITHOUT ROWID
        """)
      try database.run("CREATE TABLE IF NOT EXISTS roots(space TEXT PRIMARY KEY) WITHOUT ROWID")
      try database.run("PRAGMA user_version=1")
    }
  }

  /// What does the work of a store.
  var performer: DatabasePerformer<StoreWork, StoredContent> {
    DatabasePerformer(
      perform: { work, database throws(DataSourceError) in
        guard let database else { return answerWithoutFile(work) }
        return try perform(work, database)
      }, rowsTogether: Self.rowsTogether,
      writeRows: { calls, range, database throws(DatabaseError) in
        try writeObjects(calls, range, database)
      })
  }

  private func answerWithoutFile(_ work: StoreWork) -> [StoredContent?] {
    switch work {
    case .read(let ids): ids.map { _ in nil }
    case .readAll: [space.isRoot ? nil : all([])]
    default: []
    }
  }

  private func perform(
    _ work: StoreWork, _ database: Database
  ) throws(DataSourceError) -> [StoredContent?] {
    switch work {
    case .read(let ids):
      var found: [StoredContent?] = []
      for id in ids { found.append(try read(id, database)) }
      return found
    case .readAll(let range): return [try readAll(range, database)]
    case .writeObject(let id, let item):
      try catching { () throws(DatabaseError) in
        try makeRoot(database)
        try write(id, item.type, isList: false, count: 1, item.bytes, database)
      }
    case .write(let entries):
      try catching { () throws(DatabaseError) in try write(entries, database) }
    case .remove(let ids):
      try catching { () throws(DatabaseError) in
        for id in ids {
          try database.run("DELETE FROM entries WHERE space=?1 AND key=?2", named(id))
        }
      }
    case .removeAll: try catching { () throws(DatabaseError) in try removeAll(database) }
    }
    return []
  }

  // MARK: Writing

  private func write(
    _ entries: [(EntryID, StoredContent)], _ database: Database
  ) throws(DatabaseError) {
    if !entries.isEmpty { try makeRoot(database) }
    for (id, content) in entries {
      try write(
        id, content.type, isList: content.isList, count: content.items.count,
        content.isList ? content.bytes : content.items.first?.bytes ?? [], database)
    }
  }

  private func makeRoot(_ database: Database) throws(DatabaseError) {
    if space.isRoot {
      try database.run("INSERT OR IGNORE INTO roots VALUES(?1)", [.text(space.name)])
    }
  }

  private func write(
    _ id: EntryID, _ type: StoredType, isList: Bool, count: Int, _ bytes: [UInt8],
    _ database: Database
  ) throws(DatabaseError) {
    try database.perform("INSERT OR REPLACE INTO entries VALUES(?1, ?2, ?3, ?4, ?5, ?6)") {
      $0.put(space.name)
      $0.put(key(id))
      $0.put(isList ? 1 : 0)
      $0.put(type.name)
      $0.put(Int64(count))
      $0.put(bytes)
    }
  }

  private static let rowsTogether = 16

  /// Puts so many objects of a space that is no root.
  private static let objectsInsertion: String = {
    let rows = stride(from: 2, to: 3 * rowsTogether + 2, by: 3).map { first in
      "(?1, ?\(first), 0, ?\(first + 1), 1, ?\(first + 2))"
    }
    return "INSERT OR REPLACE INTO entries VALUES" + rows.joined(separator: ",")
  }()

  /// Puts an object under the key of each call; the later of two with the same key stays.
  private func writeObjects(
    _ calls: [DatabaseCall<StoreWork, StoredContent>], _ range: Range<Int>, _ database: Database
  ) throws(DatabaseError) {
    try database.perform(Self.objectsInsertion) {
      $0.put(space.name)
      for index in range {
        guard case .writeObject(let id, let item) = calls[index].asked else { continue }
        $0.put(key(id))
        $0.put(item.type.name)
        $0.put(item.bytes)
      }
    }
  }

  private func removeAll(_ database: Database) throws(DatabaseError) {
    let (condition, parameters) = own
    try database.run("DELETE FROM entries WHERE \(condition)", parameters)
    if space.isRoot {
      try database.run("DELETE FROM roots WHERE space=?1", [.text(space.name)])
    }
  }

  // MARK: Reading

  /// What stands under a key; nil if nothing does.
  func read(_ id: EntryID, _ database: Database) throws(DataSourceError) -> StoredContent? {
    var found: StoredRow?
    try catching { () throws(DatabaseError) in
      try database.run(
        "SELECT list, type, value FROM entries WHERE space=?1 AND key=?2", named(id)
      ) { row in
        found = StoredRow(row)
        return false
      }
    }
    guard let found else { return nil }
    // It is turned into values, twice in between.
    if !Room.has(3 * found.bytes.count) { throw .noMemory }
    return try found.content()
  }

  /// Objects first, then the elements of lists, in the order of keys; nothing that is not asked for
  /// is read.
  private func readAll(
    _ range: Range<Int>, _ database: Database
  ) throws(DataSourceError) -> StoredContent? {
    if space.isRoot {
      let root = try catching { () throws(DatabaseError) in
        try database.first("SELECT 1 FROM roots WHERE space=?1", [.text(space.name)])
      }
      if root == .null { return nil }
    }
    let (condition, parameters) = own
    let objects = try rows(
      """
      SELECT list, type, value FROM entries WHERE \(condition) AND list=0
      ORDER BY key LIMIT ?8 OFFSET ?9
      """, parameters + bounds(range), database)
    var items = objects.flatMap(\.items)
    if items.count == range.count { return all(items) }
    let count = try catching { () throws(DatabaseError) in
      try database.first("SELECT count(*) FROM entries WHERE \(condition) AND list=0", parameters)
    }
    var skipped = range.lowerBound
    if case .integer(let count) = count { skipped = max(0, skipped - Int(count)) }
    for (key, count) in try lists(database) where items.count < range.count {
      if skipped < count, let list = try read(EntryID(key), database) {
        items += list.items.dropFirst(skipped).prefix(range.count - items.count)
      }
      skipped = max(0, skipped - count)
    }
    return all(items)
  }

  /// The keys of the lists, without what stands before them, and how long they are.
  private func lists(_ database: Database) throws(DataSourceError) -> [(String, Int)] {
    let (condition, parameters) = own
    var found: [(String, Int)] = []
    try catching { () throws(DatabaseError) in
      try database.run(
        "SELECT key, count FROM entries WHERE \(condition) AND list=1 ORDER BY key", parameters
      ) { row in
        if case (.text(let key), .integer(let count)) = (row[0], row[1]) {
          found.append(
            (String(decoding: key.utf8.dropFirst(space.lead.utf8.count), as: UTF8.self), Int(count))
          )
        }
        return true
      }
    }
    return found
  }

  private func rows(
    _ sql: String, _ parameters: [DatabaseValue], _ database: Database
  ) throws(DataSourceError) -> [StoredContent] {
    var found: [StoredRow] = []
    try catching { () throws(DatabaseError) in
      try database.run(sql, parameters) { row in
        if let row = StoredRow(row) { found.append(row) }
        return true
      }
    }
    // All of it is turned into values, twice in between.
    let size = found.reduce(0) { $0 + $1.bytes.count }
    if !Room.has(3 * size) { throw .noMemory }
    var contents: [StoredContent] = []
    for row in found { contents.append(try row.content()) }
    return contents
  }

  // MARK: Names

  private func named(_ id: EntryID) -> [DatabaseValue] {
    [.text(space.name), .text(key(id))]
  }

  private func key(_ id: EntryID) -> String {
    space.lead.isEmpty ? id.key : space.lead + id.key
  }

  private func all(_ items: [StoredItem]) -> StoredContent {
    StoredContent(type: type ?? .any, isList: true, items: items)
  }

  /// Which rows are of this storage, by text and type (L25).
  private var own: (String, [DatabaseValue]) {
    var condition = "space=?1"
    var parameters = [DatabaseValue.text(space.name)]
    if let end = space.end {
      condition += " AND key>=?2 AND key<?3"
      parameters += [.text(space.lead), .text(end)]
    }
    if let type {
      parameters.append(.text(type.name))
      condition += " AND type=?\(parameters.count)"
    }
    return (condition, parameters)
  }

  private func bounds(_ range: Range<Int>) -> [DatabaseValue] {
    let used = own.1.count
    // The parameters between are not mentioned.
    return Array(repeating: .null, count: 7 - used)
      + [.integer(Int64(range.count)), .integer(Int64(range.lowerBound))]
  }
}

/// A row of the table: its columns `list`, `type` and `value`.
private struct StoredRow {
  let isList: Bool
  let type: StoredType
  let bytes: [UInt8]

  /// Reads the columns; nil when another program has stored something else in them.
  init?(_ row: DatabaseRow) {
    guard case .integer(let list) = row[0], case .text(let type) = row[1],
      case .blob(let bytes) = row[2]
    else { return nil }
    (isList, self.type, self.bytes) = (list == 1, StoredType(type), bytes)
  }

  func content() throws(DataSourceError) -> StoredContent {
    isList
      ? try StoredContent(type: type, isList: true, bytes: bytes)
      : StoredContent(StoredItem(type: type, bytes: bytes))
  }
}
