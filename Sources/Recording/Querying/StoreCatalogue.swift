package import DataSources
import Gathering
import Machine
package import Values

/// The stores that are opened by the name of their type, with options (data sources 2.3).
package enum StoreCatalogue {
  /// Who owns a store: the workers, and the folder of the user's data.
  private struct Owner {
    let workers: StoreWorkers
    let dataHome: String?
  }

  private typealias Opener = @Sendable (inout Options, Owner) throws -> DataAccess<Value>

  private static let openers: [(name: String, open: Opener)] = [
    ("void", { _, _ in .void }), ("memory", { try memory(&$0, $1) }),
    ("storage", { try storage(&$0, $1) }), ("sqlite", { try sqlite(&$0, $1) }),
    ("files", { try files(&$0, $1) }), ("keychain", { try keychain(&$0, $1) }),
    ("recording", { try recording(&$0, $1) }),
  ]

  /// The calls to a new store, and what the patch `record` is to know it as.
  ///
  /// Without `dataHome` a storage needs a path. Throws `notFound` for a type that there is not, an
  /// error of options, and what opening throws.
  package static func open(
    _ type: String, _ options: ValueDictionary, among workers: StoreWorkers, dataHome: String?
  ) throws -> (access: DataAccess<Value>, name: String?) {
    guard let opener = openers.first(where: { $0.name == type }) else {
      throw SourceError.notFound(
        Nearest.sentence(to: type, among: openers.map(\.name), what: "store"))
    }
    var options = Options(options, of: type)
    let access = try opener.open(&options, Owner(workers: workers, dataHome: dataHome))
    // The name of a storage is another: that of its file, which several stores may share.
    let name = try options.text(type == "storage" ? "store" : "name")
    try options.finish()
    return (access, name)
  }

  /// How many copies of a value there are at once while a store of a type puts it.
  package static func copies(of type: String) -> Int { type == "memory" || type == "void" ? 1 : 8 }

  private static func memory(
    _ options: inout Options, _ owner: Owner
  ) throws -> DataAccess<Value> {
    MemoryStore(id: try finder(&options)).access
  }

  private static func storage(
    _ options: inout Options, _ owner: Owner
  ) throws -> DataAccess<Value> {
    let name = try options.text("name") ?? "default"
    let layout = try layout(&options)
    let type = try type(&options)
    // The environment was looked at when the context was opened (C API rule 18).
    let path = try options.text("path") ?? owner.dataHome.map { "\($0)/gatheredkit/\(name).sqlite" }
    let patience = try options.duration("busy_timeout_ns") ?? .seconds(5)
    let store = try StorageStore(
      name, layout, type: type, path: path, busyTimeout: patience,
      among: owner.workers)
    return DataAccess(
      store, StorageStore.abilities(layout), type: type, id: try finder(&options))
  }

  private static func layout(_ options: inout Options) throws -> StorageLayout {
    let (prefix, root) = (try options.text("prefix"), try options.text("root"))
    let word = try options.text("layout")
    switch (word ?? (root != nil ? "root" : prefix != nil ? "prefix" : "regular"), prefix, root) {
    case ("regular", nil, nil): return .regular
    case ("prefix", let prefix?, nil): return .prefix(prefix)
    case ("root", nil, let root?): return .root(root)
    default:
      throw options.wrong(
        "layout", "regular, or prefix or root with the option of that name and not the other")
    }
  }

  private static func sqlite(
    _ options: inout Options, _ owner: Owner
  ) throws -> DataAccess<Value> {
    let path = try options.required(options.text("path"), "a path")
    let name = try options.required(options.text("table"), "a table")
    let key = try options.text("key") ?? "id"
    guard case .list(let columns) = options.value("columns") ?? .list([]) else {
      throw options.wrong("columns", "a LIST")
    }
    let table = try TableDescription(name, key: key, columns: try columns.map(column))
    let patience = try options.duration("busy_timeout_ns") ?? .seconds(5)
    let store = try TableStore(
      path: path, table, busyTimeout: patience, among: owner.workers)
    return DataAccess(store, TableForm(table, row: row) { value($0, of: table) })
  }

  private static func column(_ value: Value) throws -> TableColumn {
    guard case .dictionary(let members) = value else {
      throw OptionError("a column is described by a DICT")
    }
    var options = Options(members, of: "a column")
    let name = try options.required(options.text("name"), "a name")
    guard let type = ColumnType(rawValue: try options.required(options.text("type"), "a type"))
    else {
      throw options.wrong("type", ColumnType.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let isIndexed = try options.flag("index") ?? false
    let isNullable = try options.flag("nullable") ?? false
    try options.finish()
    return TableColumn(name, type, isNullable: isNullable, isIndexed: isIndexed)
  }

  private static func row(_ value: Value) throws(DataSourceError) -> TableRow {
    guard case .dictionary(let members) = value else {
      throw DataSourceError(.serialization, "a row is a DICT")
    }
    return try TableRow(members)
  }

  private static func value(_ row: TableRow, of table: TableDescription) -> Value {
    let members = table.columns.map { ($0.name, Value(row[$0.name] ?? .null)) }
    return .dictionary(ValueDictionary(members))
  }

  private static func files(
    _ options: inout Options, _ owner: Owner
  ) throws -> DataAccess<Value> {
    let folder = try options.required(options.text("folder"), "a folder")
    if folder.isEmpty { throw options.wrong("folder", "a path") }
    let naming: EntryNaming
    switch try options.text("naming") ?? "sha256" {
    case "sha256": naming = .sha256
    case "plain": naming = .plain
    default: throw options.wrong("naming", "sha256 or plain")
    }
    // As long as device storages wait for each other.
    let opener = LiveEntryFolderOpener(
      folder, patience: 5_000_000_000, cancellation: owner.workers.ending)
    let store = FileStore(opener, naming, among: owner.workers)
    return DataAccess(store, FileStore.abilities, type: .bytes)
  }

  private static func keychain(
    _ options: inout Options, _ owner: Owner
  ) throws -> DataAccess<Value> {
    let service = try options.required(options.text("service"), "a service")
    let finder = LiveSecretStoreFinder(cancellation: owner.workers.ending)
    let store = try KeychainStore(service, finder, among: owner.workers)
    return DataAccess(store, KeychainStore.abilities, type: try type(&options))
  }

  private static func recording(
    _ options: inout Options, _ owner: Owner
  ) throws -> DataAccess<Value> {
    let path = try options.required(options.text("path"), "a path")
    var view = RecordingStore.View()
    view.series = try texts(&options, "sources")
    view.properties = try texts(&options, "properties")
    view.interval = try options.count("interval_ns")
    return try RecordingStore(path, view, among: owner.workers).access { .dictionary($0) }
  }

  private static func texts(_ options: inout Options, _ name: String) throws -> [String]? {
    guard let value = options.value(name) else { return nil }
    guard case .list(let items) = value else { throw options.wrong(name, "a LIST") }
    return try items.map { item in
      guard let text = item.text else { throw options.wrong(name, "a LIST of STRINGs") }
      return text
    }
  }

  private static func type(_ options: inout Options) throws -> StoredType? {
    guard let name = try options.text("type") else { return nil }
    guard let type = Value.storedTypes.first(where: { $0.name.isSpelt(name) }) else {
      throw options.wrong("type", Value.storedTypes.map(\.name).joined(separator: ", "))
    }
    return type
  }

  /// Finds the id of a value: the member that the option `id` names.
  private static func finder(
    _ options: inout Options
  ) throws -> (@Sendable (Value) -> EntryID?)? {
    guard let name = try options.text("id") else { return nil }
    return { value in
      guard case .dictionary(let members) = value, let id = members[name], id != Value.none else {
        return nil
      }
      return EntryID(value: id)
    }
  }
}
