import AsyncDataSources
import DataSources
import GatheredKitTesting
import Ground
import Machine
import Testing

struct DeviceStorageDataSourceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store<Value: StoredValue>(
    _ layout: StorageLayout, of type: Value.Type = Int.self, _ file: String = "a"
  ) throws -> DeviceStorageDataSource<Value> {
    try DeviceStorageDataSource(layout: layout, path: "\(folder.path)/\(file).sqlite")
  }

  // MARK: Laws of all

  @Test func `L1 to L17 hold in every layout`() async throws {
    let numbers = Files()
    let path = folder.path
    let value = { @Sendable (key: String, number: Int) in "\(key):\(number)" }
    let id = { @Sendable (value: String) in
      value.split(separator: ":").first.map { EntryID("\($0)") }
    }
    let layouts: [(StorageLayout, DataSourceLaws<DeviceStorageDataSource<String>>.Abilities)] = [
      (.regular, [.lists, .ids]), (.prefix("p"), [.lists, .ids, .all]),
      (.root("r"), [.lists, .ids, .all, .vanishes]),
    ]
    for (layout, abilities) in layouts {
      let plain = DataSourceLaws(abilities, value: value) {
        try DeviceStorageDataSource<String>(layout: layout, path: numbers.next(in: path))
      }
      #expect(await plain.violations() == [])
      let keyed = DataSourceLaws(abilities.union(.object), value: value) {
        try DeviceStorageDataSource<String>(layout: layout, path: numbers.next(in: path), id: id)
      }
      #expect(await keyed.violations() == [])
    }
  }

  // MARK: L21

  @Test func `L21: the folder and the file are for their owner only`() async throws {
    let store = try DeviceStorageDataSource<Int>(path: folder.path + "/new/deep/a.sqlite")
    try await store.put(1, forId: "a")
    #expect(try Mode.of(folder.path + "/new") == 0o700)
    #expect(try Mode.of(folder.path + "/new/deep") == 0o700)
    for name in try RootedFileTree.live.entries(of: folder.path + "/new/deep") {
      #expect(try Mode.of(folder.path + "/new/deep/" + name) == 0o600)
    }
  }

  @Test func `L21: a name that is no name of a file is an illegal argument`() {
    for name in ["", ".", "..", ".hidden", "a/b", "a\0b", String(repeating: "a", count: 201)] {
      #expect(throws: DataSourceError(.illegalArgument)) {
        try DeviceStorageDataSource<Int>(name)
      }
    }
  }

  @Test func `L21: each name is a file of its own, also in a folder of choice`() async throws {
    let (first, second) = (
      try DeviceStorageDataSource<Int>("one", path: folder.path),
      try DeviceStorageDataSource<Int>("two", path: folder.path + "/")
    )
    try await first.put(1, forId: "a")
    await #expect(throws: DataSourceError(.notFound)) { try await second.get("a") }
    #expect(FileIdentity(folder.path + "/one.sqlite") != nil)
  }

  @Test func `a storage whose file was removed starts anew`() async throws {
    let store = try store(.regular)
    try await store.put(1, forId: "a")
    for name in try RootedFileTree.live.entries(of: folder.path) { try folder.remove("/" + name) }
    await #expect(throws: DataSourceError(.notFound)) { try await store.get("a") }
    try await store.put(2, forId: "a")
    #expect(try await self.store(.regular).get("a") == 2)
  }

  @Test func `reading makes no file`() async throws {
    let path = folder.path + "/none/a.sqlite"
    let store = try DeviceStorageDataSource<Int>(layout: .prefix("p"), path: path)
    await #expect(throws: DataSourceError(.notFound)) { try await store.get("a") }
    #expect(try await store.getAll(.all()) == [])
    #expect(FileIdentity(folder.path + "/none") == nil)
  }

  // MARK: L22, L23, L25

  @Test func `L22: the regular layout meets prefixes by bare keys, and no root`() async throws {
    let (regular, prefix) = (try store(.regular), try store(.prefix("Double")))
    try await regular.put(3, forId: "Double.pi")
    #expect(try await prefix.get("pi") == 3)
    #expect(try await prefix.getAll(.all()) == [3])
    let empty = try store(.prefix(""))
    #expect(try await empty.get("Double.pi") == 3)
    await #expect(throws: DataSourceError(.queryNotSupported)) { try await empty.getAll(.all()) }
    let root = try store(.root("Double"))
    await #expect(throws: DataSourceError(.notFound)) { try await root.get("pi") }
    try await root.put(4, forId: "pi")
    #expect(try await regular.get("Double.pi") == 3)
    await #expect(throws: DataSourceError(.notFound)) { try await regular.get("Double.int.pi") }
  }

  @Test func `L23: no prefix sees another, however alike their names are`() async throws {
    let names = ["a", "a.b", "a%2Eb", "a%", "A", "a_", "ab", "*", "a.b.c", "é", "e\u{301}"]
    for (number, name) in names.enumerated() {
      let store = try store(.prefix(name))
      try await store.put(number, forId: "k")
      try await store.put(number, forId: "b.k")
    }
    for (number, name) in names.enumerated() {
      let store = try store(.prefix(name))
      #expect(try await store.getAll(.all()) == [number, number])
    }
    try await store(.prefix("a")).delete(.all())
    for (number, name) in names.enumerated().dropFirst() {
      #expect(try await store(.prefix(name)).getAll(.all()) == [number, number])
    }
  }

  @Test func `L22 and L25: a root is of one name and one type, and is gone when emptied`()
    async throws
  {
    let (numbers, texts) = (try store(.root("r")), try store(.root("r"), of: String.self))
    await #expect(throws: DataSourceError(.notFound)) { try await numbers.getAll(.all()) }
    try await numbers.put(1, forId: "a")
    await #expect(throws: DataSourceError(.notFound)) { try await texts.getAll(.all()) }
    try await texts.put("x", forId: "a")
    #expect(try await numbers.getAll(.all()) == [1])
    try await numbers.delete("a")
    #expect(try await numbers.getAll(.all()) == [])
    try await numbers.delete(.all())
    await #expect(throws: DataSourceError(.notFound)) { try await numbers.getAll(.all()) }
    #expect(try await texts.getAll(.all()) == ["x"])
  }

  // MARK: L24

  @Test func `L24: reading through another type is not found and changes nothing`() async throws {
    let (numbers, texts) = (try store(.regular), try store(.regular, of: String.self))
    try await numbers.put(1, forId: "a")
    await #expect(throws: DataSourceError(.notFound)) { try await texts.get("a") }
    #expect(try await numbers.get("a") == 1)
    try await texts.put("x", forId: "a")
    #expect(try await texts.get("a") == "x")
    try await numbers.delete("a")
    await #expect(throws: DataSourceError(.notFound)) { try await texts.get("a") }
  }

  @Test func `L25: all of a prefix is of its type only, and so is deleting it`() async throws {
    let (numbers, texts) = (try store(.prefix("p")), try store(.prefix("p"), of: String.self))
    try await numbers.put(1, forId: "a")
    try await texts.put("x", forId: "b")
    try await texts.putAll(["y", "z"], forId: "c")
    #expect(try await numbers.getAll(.all()) == [1])
    #expect(try await texts.getAll(.all()) == ["x", "y", "z"])
    #expect(try await texts.getAll(.page(offset: 1, limit: 1)) == ["y"])
    try await numbers.delete(.all())
    #expect(try await texts.getAll(.all()) == ["x", "y", "z"])
  }

  @Test func `L24: elements of a list are of their type, too`() async throws {
    let lists = try store(.prefix("p"), of: [Int].self)
    let texts = try store(.prefix("p"), of: [String].self)
    try await lists.put([1, 2], forId: "a")
    try await texts.put(["x"], forId: "b")
    await #expect(throws: DataSourceError(.notFound)) { try await texts.get("a") }
    #expect(try await lists.getAll(.all()) == [[1, 2]])
    #expect(try await texts.getAll(.page(offset: 0, limit: 1)) == [["x"]])
  }
}

/// Fresh names of files.
final class Files: Sendable {
  private let count = Monitor(0)

  func next(in folder: String) -> String {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return "\(folder)/\(number)"
  }
}
