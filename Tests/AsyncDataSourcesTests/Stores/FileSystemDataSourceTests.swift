import AsyncDataSources
import DataSources
import GatheredKitTesting
import Glibc
import Machine
import Testing

struct FileSystemDataSourceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ naming: EntryNaming = .sha256) -> FileSystemDataSource {
    FileSystemDataSource(folder: folder.path + "/store", naming: naming)
  }

  private func names() throws -> [String] {
    try RootedFileTree.live.entries(of: folder.path + "/store").sorted()
  }

  @Test func `L1 to L17 hold for files, whatever they are called`() async {
    let numbers = Files()
    let path = folder.path
    let namings: [EntryNaming] = [
      .sha256, .plain, .custom { id in "x" + id.key.utf8.map { "-\($0)" }.joined() },
    ]
    for naming in namings {
      let laws = DataSourceLaws(
        [.lists, .ids, .all], value: { key, number in Array("\(key):\(number)".utf8) },
        make: { FileSystemDataSource(folder: numbers.next(in: path), naming: naming) })
      #expect(await laws.violations() == [])
    }
  }

  @Test func `L31: a file is named by the hash of its key, by the key, or by a function`()
    async throws
  {
    try await store().put([1], forId: "abc")
    try await store(.plain).put([2], forId: "abc")
    try await store(.custom { "own-" + $0.key }).put([3], forId: "abc")
    #expect(
      try names() == [
        "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "own-abc",
      ])
    #expect(try await store().getAll(.all()) == [[1]])
  }

  @Test func `L31: what cannot be a name is an illegal argument`() async {
    let keys = [
      ".", "..", ".a", "a/b", "../a", "/etc/passwd", "a\0", String(repeating: "a", count: 256),
    ]
    for key in keys {
      let illegal = DataSourceError(.illegalArgument)
      await #expect(throws: illegal) { try await store(.plain).put([1], in: .key(key)) }
      await #expect(throws: illegal) { try await store(.plain).get(.key(key)) }
      await #expect(throws: illegal) { try await store(.plain).delete(.ids(["a", EntryID(key)])) }
      await #expect(throws: illegal) { try await store(.custom { _ in key }).put([1], forId: "k") }
    }
    #expect(FileIdentity(folder.path + "/store") == nil)
  }

  @Test func `L32: files are 0600 and folders 0700, and one that exists keeps its mode`()
    async throws
  {
    try await store().put([1], forId: "a")
    #expect(try Mode.of(folder.path + "/store") == 0o700)
    for name in try names() { #expect(try Mode.of("\(folder.path)/store/\(name)") == 0o600) }
    try folder.makeFolder("/other")
    chmod(folder.path + "/other", 0o755)
    try await FileSystemDataSource(folder: folder.path + "/other").put([1], forId: "a")
    #expect(try Mode.of(folder.path + "/other") == 0o755)
  }

  @Test func `L32: links are not followed, and nothing outside is read or written`() async throws {
    let plain = store(.plain)
    try await plain.put([1], forId: "a")
    try folder.write([9], to: "/outside")
    try folder.link("/store/link", to: folder.path + "/outside")
    try folder.link("/store/own", to: "a")
    try folder.link("/store/loop", to: "loop")
    for key in ["link", "own", "loop"] {
      await #expect(throws: DataSourceError(.notFound)) { try await plain.get(.key(key)) }
      await #expect(throws: DataSourceError(.failed)) { try await plain.put([2], in: .key(key)) }
      try await plain.delete(.key(key))
    }
    #expect(try await plain.getAll(.all()) == [[1]])
    try await plain.delete(.all())
    #expect(try names() == ["link", "loop", "own"])
    #expect(try PolledFile("/outside", in: RootedFileTree(root: folder.path)).read() == [9])
  }

  @Test func `L32: files of others are neither listed nor deleted, nor overwritten`() async throws {
    let plain = store(.plain)
    try await plain.put([1], forId: "a")
    try folder.write(Array("foreign".utf8), to: "/store/b")
    try folder.write([], to: "/store/empty")
    try folder.makePipe("/store/pipe")
    try folder.makeFolder("/store/folder")
    // A copy of an entry has another name.
    let copy = try PolledFile("/store/a", in: RootedFileTree(root: folder.path)).read()
    try folder.write(Array(copy), to: "/store/copy")
    for key in ["b", "empty", "pipe", "folder", "copy"] {
      await #expect(throws: DataSourceError(.notFound)) { try await plain.get(.key(key)) }
      try await plain.delete(.key(key))
      await #expect(throws: DataSourceError(.failed)) { try await plain.put([2], in: .key(key)) }
    }
    #expect(try await plain.getAll(.all()) == [[1]])
    try await plain.delete(.all())
    #expect(try names() == ["b", "copy", "empty", "folder", "pipe"])
  }

  @Test func `L33: every damage behind the magic is serialization, and can be deleted`()
    async throws
  {
    let plain = store(.plain)
    try await plain.putAll([[1, 2, 3], [], [4]], forId: "a")
    let whole = Array(try PolledFile("/store/a", in: RootedFileTree(root: folder.path)).read())
    for length in 8..<whole.count {
      try folder.write(Array(whole[..<length]), to: "/store/a")
      await #expect(throws: DataSourceError(.serialization)) { try await plain.getAll("a") }
      await #expect(throws: DataSourceError(.serialization)) { try await plain.getAll(.all()) }
    }
    for index in 8..<whole.count {
      for value in [0, 0x7F, 0xFF] as [UInt8] {
        var bytes = whole
        bytes[index] = value
        try folder.write(bytes, to: "/store/a")
        // Another key, shape or byte of a value is no damage that a header can tell.
        do throws(DataSourceError) {
          _ = try await plain.getAll("a")
        } catch {
          #expect([.serialization, .notFound].contains(error.code))
        }
      }
    }
    try folder.write(whole + [0], to: "/store/a")
    await #expect(throws: DataSourceError(.serialization)) { try await plain.getAll("a") }
    try await plain.put([7], forId: "a")
    #expect(try await plain.get("a") == [7])
    try folder.write(Array(whole[..<9]), to: "/store/a")
    try await plain.delete(.all())
    #expect(try names() == [])
  }

  @Test func `L34: no folder is an empty store`() async throws {
    #expect(try await store().getAll(.all()) == [])
    try await store().delete("a")
    try await store().delete(.all())
    #expect(FileIdentity(folder.path + "/store") == nil)
    try folder.write([1], to: "/store")
    await #expect(throws: DataSourceError(.failed)) { try await store().put([1], forId: "a") }
  }
}
