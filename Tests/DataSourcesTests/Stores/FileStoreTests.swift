import GatheredKitTesting
import Glibc
import Ground
import Machine
import Testing

@testable import DataSources

struct FileStoreTests {
  private let folder: TemporaryFolder
  private let opener: FaultyEntryFolder
  private let store: FileStore

  init() throws {
    folder = try TemporaryFolder()
    // Children that other tests start hold for a moment what was open when they were.
    opener = FaultyEntryFolder(LiveEntryFolderOpener(folder.path + "/s", patience: 30_000_000_000))
    store = FileStore(opener, .plain)
  }

  private static func object(_ byte: UInt8) -> StoredContent {
    StoredContent(StoredItem(type: .bytes, bytes: [UInt8](repeating: byte, count: 100)))
  }

  private static func writing(_ entries: KeyValuePairs<String, UInt8>) -> StoreWork {
    .write(entries.map { (EntryID($0.key), object($0.value)) })
  }

  @discardableResult
  private func perform(
    _ work: StoreWork, on other: FileStore? = nil
  ) throws -> [StoredContent?] {
    let store = other ?? store
    let answer = Monitor<Result<[StoredContent?], DataSourceError>?>(nil)
    store.submit(work, nil) { result in
      answer.withLock { $0 = result }
      answer.signalAll()
    }
    return try #require(answer.wait { $0 }).get()
  }

  private func state() throws -> [StoredContent?] { try perform(.read(["a", "b", "c"])) }

  private func fill() throws {
    try perform(.removeAll)
    try perform(Self.writing(["a": 1, "b": 2]))
  }

  private let works: [StoreWork] = [
    writing(["a": 7]), writing(["c": 7]), writing(["a": 7, "b": 8, "c": 9]),
    .remove(["a"]), .remove(["a", "b", "c"]), .removeAll,
  ]

  @Test func `L6 and L33: an error at any step changes nothing and leaves nothing behind`() throws {
    for work in works {
      for code in [ENOSPC, EIO, EDQUOT] {
        var step = 0
        while true {
          try fill()
          let before = try state()
          opener.set(.error(code), at: step)
          let outcome = Result { try perform(work) }
          let steps = opener.steps
          opener.set(nil)
          if step >= steps { break }
          let after = try state()
          if case .failure = outcome { #expect(after == before, "step \(step) of \(steps)") }
          step += 1
        }
        #expect(step > 3)
        try fill()
        let names = try RootedFileTree.live.entries(of: folder.path + "/s")
        #expect(Set(names.filter { !$0.hasPrefix(".gkit-") }) == ["a", "b"])
      }
    }
  }

  @Test func `L33: a death at any step leaves old or new entries, each whole`() throws {
    for work in works {
      var step = 0
      while true {
        try fill()
        let before = try state()
        opener.set(.death, at: step)
        _ = Result { try perform(work) }
        let steps = opener.steps
        opener.set(nil)
        if step >= steps { break }
        let survivors = try state()
        try fill()
        try perform(work)
        let new = try state()
        for (index, survivor) in survivors.enumerated() {
          let isWhole = survivor == before[index] || survivor == new[index]
          #expect(isWhole, "entry \(index) after a death at step \(step)")
        }
        step += 1
      }
    }
  }

  @Test func `L33: what a dead writer left is replaced, and disturbs no other writer`() throws {
    try fill()
    for name in [".gkit-new-0", ".gkit-old-0", ".gkit-new-1"] {
      try folder.write([1, 2, 3], to: "/s/" + name)
    }
    try perform(Self.writing(["a": 7, "b": 8]))
    #expect(try state() == [Self.object(7), Self.object(8), nil])
    let all = try perform(.readAll(0..<Int.max))
    #expect(all.first??.items.count == 2)
    #expect(try RootedFileTree.live.entries(of: folder.path + "/s").sorted() == ["a", "b"])
  }

  @Test func `a folder that others hold for too long is a timeout`() throws {
    try fill()
    let hasty = FileStore(LiveEntryFolderOpener(folder.path + "/s", patience: 1_000_000), .plain)
    let timeout = DataSourceError(.timeout)
    var held = try opener.open(for: .writing)
    #expect(throws: timeout) { try perform(.read(["a"]), on: hasty) }
    withExtendedLifetime(held) {}
    held = nil
    held = try opener.open(for: .reading)
    #expect(try state().count == 3)
    #expect(throws: timeout) { try perform(.removeAll, on: hasty) }
    withExtendedLifetime(held) {}
  }

  @Test func `a page reads no value that it does not return`() throws {
    try perform(.write((0..<20).map { (EntryID($0 + 10), Self.object(UInt8($0))) }))
    opener.set(nil)
    let page = try perform(.readAll(5..<7))
    #expect(page.first??.items.map { $0.bytes[0] } == [5, 6])
    // The names, a header for each, and the two files once more.
    #expect(opener.steps == 1 + 20 + 2)
  }
}
