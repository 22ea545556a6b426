import Gathering
import Ground
import Machine
import Testing

@testable import SourceKinds

@Suite struct KnownVolumesTests {
  private let files: AnnouncedMounts
  private let clock = VirtualTime()
  private let live: Machine

  init() throws {
    let laptop = try machine(named: "laptop")
    files = AnnouncedMounts(laptop.files)
    live = Machine(
      nature: .live, files: files, notices: nil, clock: clock, switches: laptop.switches,
      addresses: nil)
  }

  private func discover() -> [String] { Storage().discover(on: live).instances.map(\.name) }

  @Test func `volumes are kept while no other mounts are announced, and a second at most`() {
    let first = discover()
    #expect(first.count > 1)
    let looks = files.looks
    for _ in 0..<3 { #expect(discover() == first) }
    #expect(files.looks == looks)
    files.announce()
    #expect(discover() == first)
    let later = files.looks
    #expect(later > looks)
    clock.advance(to: 1_000_000_000)
    #expect(discover() == first)
    #expect(files.looks > later)
  }

  @Test func `where nothing is announced every look is a new one`() {
    files.isSilent.withLock { $0 = true }
    _ = discover()
    let looks = files.looks
    _ = discover()
    #expect(files.looks > looks)
  }
}

/// The files of a machine, whose table of mounts announces changes.
private final class AnnouncedMounts: FileTree {
  let isSilent = Lock(false)
  private let original: any FileTree
  private let statisticsRead = Lock(0)
  private let announced = Lock(false)

  init(_ original: any FileTree) { self.original = original }

  /// How often sizes were asked for.
  var looks: Int { statisticsRead.withLock { $0 } }

  func announce() { announced.withLock { $0 = true } }

  fileprivate func takeNews() -> Bool? {
    if isSilent.withLock({ $0 }) { return nil }
    return announced.withLock { news in
      defer { news = false }
      return news
    }
  }

  func open(_ path: String) throws(SystemError) -> any OpenFile {
    AnnouncingFile(path: path, file: try original.open(path), tree: self)
  }

  func entries(of path: String) throws(SystemError) -> [String] {
    try original.entries(of: path)
  }

  func canonicalPath(of path: String) throws(SystemError) -> String {
    try original.canonicalPath(of: path)
  }

  func linkTarget(of path: String) throws(SystemError) -> String {
    try original.linkTarget(of: path)
  }

  func statistics(of mountPoint: String) throws(SystemError) -> FileSystemStatistics {
    statisticsRead.withLock { $0 += 1 }
    return try original.statistics(of: mountPoint)
  }
}

private struct AnnouncingFile: OpenFile {
  let path: String
  let file: any OpenFile
  let tree: AnnouncedMounts

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try file.read(at: offset, into: buffer)
  }

  func hasNews() -> Bool? { tree.takeNews() }
}
