import Glibc
import Ground
import Machine
import Testing

@Suite struct PolledFileTests {
  private func failure(_ file: PolledFile) -> Int32? {
    do throws(SystemError) {
      try file.read()
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `an attribute is one open and one pread a reading`() throws {
    let files = ScriptedFiles("42\n")
    let file = PolledFile("/sys/x", in: files)
    for _ in 0..<3 { #expect(try Array(file.read()) == Array("42\n".utf8)) }
    #expect(Array(file.bytes) == Array("42\n".utf8))
    #expect(files.calls == ["open", "read 0", "read 0", "read 0"])
  }

  @Test func `V7: 4096 bytes are an attribute and 4097 are EFBIG`() throws {
    let files = ScriptedFiles(String(repeating: "a", count: 4096))
    let file = PolledFile("/sys/x", in: files)
    #expect(try file.read().count == 4096)
    files.content = String(repeating: "a", count: 4097)
    #expect(failure(file) == EFBIG)
    #expect(file.bytes.isEmpty)
    files.content = ""
    #expect(try file.read().isEmpty)
  }

  @Test(arguments: [1, 7, 1000, 4096, 100_000])
  func `a table is read whole in whatever pieces it comes`(piece: Int) throws {
    let table = (0..<3000).map { "line \($0)\n" }.joined()
    let files = ScriptedFiles(table, piece: piece)
    let file = PolledFile("/proc/x", in: files, limit: 1 << 20)
    for _ in 0..<2 { #expect(String(decoding: try file.read(), as: UTF8.self) == table) }
    files.content = "short"
    #expect(String(decoding: try file.read(), as: UTF8.self) == "short")
  }

  @Test func `a table may be as long as its limit and no longer`() throws {
    let files = ScriptedFiles(String(repeating: "a", count: 10_000))
    let file = PolledFile("/proc/x", in: files, limit: 10_000)
    #expect(try file.read().count == 10_000)
    files.content += "a"
    #expect(failure(file) == EFBIG)
  }

  @Test func `a failed reading opens the file anew at the next`() throws {
    let files = ScriptedFiles("1")
    let file = PolledFile("/sys/x", in: files)
    try file.read()
    files.failures = ["read 0": [EIO]]
    #expect(failure(file) == EIO)
    #expect(file.bytes.isEmpty)
    #expect(try Array(file.read()) == Array("1".utf8))
    #expect(files.calls == ["open", "read 0", "read 0", "open", "read 0"])
  }

  @Test func `a device that came back under the same path is read at once`() throws {
    let files = ScriptedFiles("1")
    let file = PolledFile("/sys/x", in: files)
    try file.read()
    files.failures = ["read 0": [ENODEV]]
    #expect(try Array(file.read()) == Array("1".utf8))
    files.failures = ["read 0": [ENODEV, ENODEV]]
    #expect(failure(file) == ENODEV)
    files.failures = ["open": [ENOENT]]
    #expect(failure(file) == ENOENT)
  }

  @Test func `a text that is compared is read once, and taken only when it is another`() throws {
    let files = ScriptedFiles("42\n")
    let file = PolledFile("/sys/x", in: files)
    #expect(try file.hasChanged())
    #expect(try !file.hasChanged())
    files.content = "43\n"
    #expect(try file.hasChanged())
    #expect(Array(file.bytes) == Array("43\n".utf8))
    files.content = "4\n\0"
    #expect(try file.hasChanged())
    #expect(Array(file.bytes) == Array("4\n".utf8))
    #expect(files.calls == ["open", "read 0", "read 0", "read 0", "read 0"])
    files.content = String(repeating: "a", count: 4096)
    #expect(try file.hasChanged())
    #expect(file.bytes.count == 4096)
    #expect(try !file.hasChanged())
    files.content = String(repeating: "a", count: 4097)
    #expect(throws: SystemError.self) { try file.hasChanged() }
    #expect(file.bytes.isEmpty)
    files.content = ""
    #expect(try file.hasChanged())
    #expect(try !file.hasChanged())
  }

  @Test func `a compared reading that fails is told, and the next is new`() throws {
    let files = ScriptedFiles("1")
    let file = PolledFile("/sys/x", in: files)
    #expect(try file.hasChanged())
    files.failures = ["read 0": [EIO, EIO]]
    #expect(throws: SystemError.self) { try file.hasChanged() }
    #expect(file.bytes.isEmpty)
    #expect(try file.hasChanged())
    files.failures = ["read 0": [ENODEV, ENODEV]]
    #expect(try file.hasChanged())
    #expect(Array(file.bytes) == [49])
  }

  @Test func `readings that are not kept go into one buffer`() throws {
    let file = PolledFile("/sys/x", in: ScriptedFiles("1"))
    func address() throws -> UnsafePointer<UInt8>? {
      try file.read().withUnsafeBufferPointer { $0.baseAddress }
    }
    let first = try address()
    for _ in 0..<10 { #expect(try address() == first) }
  }

  @Test func `a reading that is kept stays as it was`() throws {
    let files = ScriptedFiles("1")
    let file = PolledFile("/sys/x", in: files)
    let kept = try file.read()
    files.content = "2"
    try file.read()
    #expect(Array(kept) == Array("1".utf8))
  }

  @Test func `tables of the live machine come whole`() throws {
    let file = PolledFile("/proc/self/maps", in: RootedFileTree.live, limit: 1 << 24)
    let text = try file.read()
    #expect(text.count > 4096)
    #expect(text.last == UInt8(ascii: "\n"))
  }
}

/// One file whose calls are counted and can be made to fail.
private final class ScriptedFiles: FileTree, OpenFile {
  private struct State {
    var content: [UInt8]
    var calls: [String] = []
    var failures: [String: [Int32]] = [:]
  }

  let path = "/scripted"
  private let piece: Int
  private let state: Lock<State>

  init(_ content: String, piece: Int = .max) {
    self.piece = piece
    state = Lock(State(content: Array(content.utf8)))
  }

  var calls: [String] { state.withLock { $0.calls } }

  var content: String {
    get { state.withLock { String(decoding: $0.content, as: UTF8.self) } }
    set { state.withLock { $0.content = Array(newValue.utf8) } }
  }

  var failures: [String: [Int32]] {
    get { state.withLock { $0.failures } }
    set { state.withLock { $0.failures = newValue } }
  }

  private func note(_ call: String) throws(SystemError) {
    let code = state.withLock { state -> Int32? in
      state.calls.append(call)
      guard let next = state.failures[call]?.first else { return nil }
      state.failures[call]?.removeFirst()
      return next
    }
    if let code { throw SystemError(code, at: path) }
  }

  func open(_ path: String) throws(SystemError) -> any OpenFile {
    try note("open")
    return self
  }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try note("read \(offset)")
    let rest = state.withLock { $0.content.dropFirst(offset).prefix(min(piece, buffer.count)) }
    buffer.copyBytes(from: rest)
    return rest.count
  }

  func entries(of path: String) throws(SystemError) -> [String] { [] }

  func canonicalPath(of path: String) throws(SystemError) -> String { path }

  func linkTarget(of path: String) throws(SystemError) -> String {
    throw SystemError(EINVAL, at: path)
  }

  func statistics(of mountPoint: String) throws(SystemError) -> FileSystemStatistics {
    throw SystemError(EOPNOTSUPP, at: mountPoint)
  }
}

@Suite struct PaddedFileTests {
  private func text(_ content: String, limit: Int = 4096) throws -> String {
    let file = PolledFile("/sys/x", in: ScriptedFiles(content), limit: limit)
    return String(decoding: try file.read(), as: UTF8.self)
  }

  private let padding = String(repeating: "\0", count: 4000)

  @Test func `C3: padding behind a text is no part of it`() throws {
    #expect(try text("42\n" + padding) == "42\n")
    #expect(try text("42" + padding) == "42")
    #expect(try text(padding) == "")
    #expect(try text("a\nb\n\0c\n") == "a\nb\n")
    #expect(try text("42\n\0") == "42\n")
  }

  @Test func `C3: padding to a large page is not counted`() throws {
    let page = String(repeating: "\0", count: 65_533)
    #expect(try text("42\n" + page) == "42\n")
    #expect(try text("42\n" + page, limit: 10_000) == "42\n")
  }

  @Test func `V7: a NUL inside a text stays in it`() throws {
    #expect(try text("4\u{0}2\n") == "4\u{0}2\n")
    #expect(try text("4\u{0}2\n" + padding) == "4\u{0}2\n")
    #expect(try text("a\u{0}b\u{0}") == "a\u{0}b")
  }

  @Test func `bytes are as they are`() throws {
    let file = PolledFile("/sys/x", in: ScriptedFiles("a\n\0\0"), holding: .bytes)
    #expect(Array(try file.read()) == [97, 10, 0, 0])
  }
}
