import Gathering
import Machine
import Recording

/// What takes samples in, as C holds it: a recording being written.
final class SinkObject: HandleObject, @unchecked Sendable {
  // Safe: everything in it is Sendable by itself.
  let recorder: Recorder
  let owner: ContextObject
  /// What the `record` patch calls it; empty for nothing.
  private let name: String

  init(_ recorder: Recorder, named name: String, of owner: ContextObject) {
    self.recorder = recorder
    self.owner = owner
    self.name = name
    super.init(.sink)
    if !name.isEmpty { owner.context.sampleSinks[name] = recorder }
  }

  deinit { forget() }

  /// Writes what has come, and is nobody's sink from now on.
  func close() throws {
    forget()
    try recorder.close()
  }

  private func forget() {
    guard !name.isEmpty, owner.context.sampleSinks[name] === recorder else { return }
    owner.context.sampleSinks[name] = nil
  }

  override var summary: String { "sink recording \(recorder.path)" }
}

extension RecorderOptions {
  /// What C asks for.
  init(_ options: inout Options) throws {
    self.init()
    switch try options.text("existing") ?? "refuse" {
    case "refuse": existing = .refuse
    case "append": existing = .append
    case "overwrite": existing = .overwrite
    default: throw options.wrong("existing", "refuse, append or overwrite")
    }
    blockRows = try options.count("block_rows").map(Int.init) ?? blockRows
    blockBytes = try options.count("block_bytes").map(Int.init) ?? blockBytes
    blockInterval = try options.count("block_interval_ns") ?? blockInterval
    syncInterval = try options.count("sync_interval_ns") ?? syncInterval
    memoryLimit = try options.count("memory_limit").map(Int.init) ?? memoryLimit
    rotateBytes = try options.count("rotate_bytes").map(Int.init)
    rotateInterval = try options.count("rotate_interval_ns")
    keep = try options.count("keep").map(Int.init)
  }
}
