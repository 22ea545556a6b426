public import Ground
public import Machine

/// A storage that can be told to fail, at any call, and to stand still.
public final class FaultyStorage: FileStorage {
  /// What is counted and can fail.
  public enum Call: Hashable, Sendable {
    case open, write, sync, truncate, move
  }

  fileprivate struct State {
    /// Errors by the call; nil for none.
    var faults: [Call: Int32] = [:]
    /// The one changing call to fail, counted from 0, and how; whether half of a write is done.
    var plan: (number: Int, code: Int32)?
    var count = 0
    /// The bytes there is room for in all.
    var room = Int.max
    var isStalled = false
  }

  private let inner: any FileStorage
  fileprivate let state = Monitor(State())

  /// A storage that behaves like another until told otherwise.
  public init(_ inner: any FileStorage = LiveStorage()) {
    self.inner = inner
  }

  /// How many calls have changed something, or were to.
  public var changes: Int { state.withLock { $0.count } }

  /// Makes every call of a sort fail with an errno, until nil mends it.
  public func fail(_ call: Call, with code: Int32?) {
    state.withLock { $0.faults[call] = code }
  }

  /// Makes the changing call of a number fail, once; a write does half of its work before.
  public func fail(atChange number: Int, with code: Int32) {
    state.withLock { $0.plan = (number, code) }
  }

  /// Leaves room for so many bytes in each file; more is ENOSPC.
  public func leaveRoom(for size: Int) {
    state.withLock { $0.room = size }
  }

  /// Holds every changing call back, as a disk that hangs does, until it is let go.
  public func stall(_ isStalled: Bool) {
    state.withLock { $0.isStalled = isStalled }
    state.signalAll()
  }

  /// Opens a file that obeys later faults too.
  public func open(_ path: String, for use: StorageUse) throws(SystemError) -> any StoredFile {
    if use != .reading { try count(.open, at: path) }
    return FaultyStoredFile(inner: try inner.open(path, for: use), storage: self)
  }

  /// The names in a folder.
  public func names(in folder: String) throws(SystemError) -> [String] {
    try inner.names(in: folder)
  }

  /// Removes a file.
  public func remove(_ path: String) throws(SystemError) {
    try inner.remove(path)
  }

  /// Gives a file another name.
  public func move(_ path: String, to other: String) throws(SystemError) {
    try count(.move, at: other)
    try inner.move(path, to: other)
  }

  /// Makes a file that is to take the place of another, and obeys later faults too.
  public func replacement(of path: String) throws(SystemError) -> any StoredFile {
    try count(.open, at: path)
    return FaultyStoredFile(inner: try inner.replacement(of: path), storage: self)
  }

  fileprivate func count(_ call: Call, at path: String) throws(SystemError) {
    let code = state.wait { state -> Int32?? in
      if state.isStalled { return nil }
      defer { state.count += 1 }
      if let plan = state.plan, plan.number == state.count { return .some(plan.code) }
      return .some(state.faults[call])
    }
    if let code = code ?? nil { throw SystemError(code, at: path) }
  }
}

private struct FaultyStoredFile: StoredFile {
  let inner: any StoredFile
  let storage: FaultyStorage

  var path: String { inner.path }

  func size() throws(SystemError) -> Int { try inner.size() }

  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    try inner.read(at: offset, into: buffer)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    do {
      try storage.count(.write, at: path)
    } catch {
      // What fails in the middle leaves a torn end behind.
      _ = try inner.write(UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]), at: offset)
      throw error
    }
    let room = storage.state.withLock { $0.room } - offset
    if room <= 0 { throw SystemError(.noSpace, at: path) }
    return try inner.write(UnsafeRawBufferPointer(rebasing: bytes.prefix(room)), at: offset)
  }

  func sync() throws(SystemError) {
    try storage.count(.sync, at: path)
    try inner.sync()
  }

  func truncate(to size: Int) throws(SystemError) {
    try storage.count(.truncate, at: path)
    try inner.truncate(to: size)
  }
}
