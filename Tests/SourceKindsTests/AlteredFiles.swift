import Ground
import Machine

/// A file tree over another one, in which single files can be made to say or do anything.
final class AlteredFiles: FileTree {
  /// What happens to a file.
  enum Alteration: Sendable {
    case missing
    case failing(Int32)
    case saying([UInt8])
  }

  private struct State {
    var alterations: [String: Alteration] = [:]
    var read: Set<String> = []
    /// The errno of writing a file, 0 if it may be written.
    var writing: [String: Int32] = [:]
  }

  private let original: any FileTree
  private let state = Lock(State())

  init(over original: any FileTree) { self.original = original }

  /// Alters a file, open or not; nil puts it back.
  func alter(_ path: String, _ alteration: Alteration?) {
    state.withLock { $0.alterations[path] = alteration }
  }

  /// Makes a file say a text.
  func write(_ text: String, to path: String) { alter(path, .saying(Array(text.utf8))) }

  /// Says what writing a file gives: 0, or an errno. All others are read-only.
  func answerWriting(_ path: String, with code: Int32) {
    state.withLock { $0.writing[path] = code }
  }

  func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let code = state.withLock { $0.writing[path] } ?? 30
    if code != 0 { throw SystemError(code, at: path) }
    alter(path, .saying(bytes))
  }

  /// What a file says at present.
  func text(of path: String) throws -> String {
    String(decoding: try PolledFile(path, in: self).read(), as: UTF8.self)
  }

  /// Every file that was read, canonical or not, as its reader named it.
  var filesRead: [String] { state.withLock { $0.read.sorted() } }

  func open(_ path: String) throws(SystemError) -> any OpenFile {
    switch state.withLock({ $0.alterations[path] }) {
    case .missing: throw SystemError(2, at: path)
    case .failing(let code) where code != 21: throw SystemError(code, at: path)
    case .failing, .saying:
      return AlteredFile(path: path, tree: self, original: try? original.open(path))
    case nil:
      return AlteredFile(path: path, tree: self, original: try original.open(path))
    }
  }

  func entries(of path: String) throws(SystemError) -> [String] {
    let missing = state.withLock { state in
      Set(state.alterations.filter { if case .missing = $0.value { true } else { false } }.keys)
    }
    if missing.contains(path) { throw SystemError(2, at: path) }
    return try original.entries(of: path).filter { !missing.contains("\(path)/\($0)") }
  }

  func canonicalPath(of path: String) throws(SystemError) -> String {
    try original.canonicalPath(of: path)
  }

  func linkTarget(of path: String) throws(SystemError) -> String {
    try original.linkTarget(of: path)
  }

  func statistics(of mountPoint: String) throws(SystemError) -> FileSystemStatistics {
    try original.statistics(of: mountPoint)
  }

  fileprivate func alteration(whenReading path: String) -> Alteration? {
    state.withLock { state in
      state.read.insert(path)
      return state.alterations[path]
    }
  }
}

/// One open file of an altered tree; an alteration acts on it at once.
private struct AlteredFile: OpenFile {
  let path: String
  let tree: AlteredFiles
  let original: (any OpenFile)?

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    switch tree.alteration(whenReading: path) {
    case .missing: throw SystemError(19, at: path)
    case .failing(let code): throw SystemError(code, at: path)
    case .saying(let bytes):
      let rest = bytes.dropFirst(offset).prefix(buffer.count)
      buffer.copyBytes(from: rest)
      return rest.count
    case nil:
      guard let original else { throw SystemError(2, at: path) }
      return try original.read(at: offset, into: buffer)
    }
  }
}

extension Machine {
  /// The same machine with its files replaced.
  func with(files: any FileTree) -> Machine {
    Machine(
      nature: nature, files: files, notices: notices, clock: clock, switches: switches,
      addresses: addresses, sound: sound, displays: displays,
      clocks: clocks.kernel == nil ? clocks : .captured(in: files),
      nvidia: nvidia)
  }

  /// The same machine with its IIO devices reached by these files and buffers.
  func with(
    nature: Nature? = nil, iio files: any FileTree, scans: (any ScanOpener)? = nil,
    mayBlock: Bool = false
  ) -> Machine {
    Machine(
      nature: nature ?? self.nature, files: self.files, notices: notices, clock: clock,
      switches: switches, addresses: addresses,
      iio: IIOAccess(
        files: files, scans: scans, mayBlock: mayBlock,
        isRemote: (nature ?? self.nature) == .remote))
  }
}
