import Glibc
public import Ground
public import Machine

/// An opener of folders in which a chosen step fails, as on a full disk or in a power cut.
public final class FaultyEntryFolder: EntryFolderOpener {
  /// What happens at the chosen step.
  public enum Fault: Sendable {
    /// It fails, and those after it succeed.
    case error(Int32)
    /// Half of it is done, and nothing after it: the process is dead.
    case death
  }

  fileprivate struct State: Sendable {
    var steps = 0
    var fault: (step: Int, Fault)?
    var isDead = false
  }

  private let inner: any EntryFolderOpener
  fileprivate let state = Monitor(State())

  /// Folders that behave like others until told otherwise.
  public init(_ inner: any EntryFolderOpener) { self.inner = inner }

  /// How many steps there have been since the fault was last set.
  public var steps: Int { state.withLock { $0.steps } }

  /// Sets what happens at a step, counted from 0 from now on; nil ends all faults.
  public func set(_ fault: Fault?, at step: Int = 0) {
    state.withLock { $0 = State(fault: fault.map { (step, $0) }) }
  }

  /// Opens a folder whose steps are counted.
  public func open(for access: FileAccess) throws(SystemError) -> (any EntryFolder)? {
    try inner.open(for: access).map { FaultyFolder(inner: $0, owner: self) }
  }
}

private struct FaultyFolder: EntryFolder {
  let inner: any EntryFolder
  let owner: FaultyEntryFolder

  /// Counts a step; throws if it is to fail. `half` is what a dying process still does of it.
  private func step(_ half: () -> Void = {}) throws(SystemError) {
    let (code, dies) = owner.state.withLock { state -> (Int32, Bool) in
      defer { state.steps += 1 }
      if state.isDead { return (EIO, false) }
      guard let (step, fault) = state.fault, step == state.steps else { return (0, false) }
      if case .error(let code) = fault { return (code, false) }
      state.isDead = true
      return (EIO, true)
    }
    if dies { half() }
    if code != 0 { throw SystemError(code, at: "fault") }
  }

  func names() throws(SystemError) -> [String] {
    try step()
    return try inner.names()
  }

  func open(_ name: String) throws(SystemError) -> any EntryFile {
    try step()
    return try inner.open(name)
  }

  func exists(_ name: String) throws(SystemError) -> Bool {
    try step()
    return try inner.exists(name)
  }

  func create(_ name: String, _ bytes: [UInt8]) throws(SystemError) {
    try step { try? inner.create(name, Array(bytes.prefix(bytes.count / 2))) }
    try inner.create(name, bytes)
  }

  func link(_ name: String, to other: String) throws(SystemError) {
    try step()
    try inner.link(name, to: other)
  }

  func rename(_ name: String, to other: String) throws(SystemError) {
    try step()
    try inner.rename(name, to: other)
  }

  func remove(_ name: String) throws(SystemError) {
    try step()
    try inner.remove(name)
  }

  func synchronise() throws(SystemError) {
    try step()
    try inner.synchronise()
  }
}
