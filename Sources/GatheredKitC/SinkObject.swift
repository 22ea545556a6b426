import Gathering
import Machine
import Recording

/// What takes samples in, as C holds it: a recording, or a text, being written.
final class SinkObject: HandleObject, @unchecked Sendable {
  // Safe: everything in it is Sendable by itself.
  let recorder: Recorder
  let owner: ContextObject
  /// What the `record` patch calls it; empty for nothing.
  private let name: String
  private let format: String

  init(_ recorder: Recorder, format: String, named name: String, of owner: ContextObject) {
    self.recorder = recorder
    self.format = format
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

  override var summary: String { "sink \(format) \(recorder.path)" }
}

/// The formats of sinks.
enum SinkFormat {
  /// Whether each is text for other programs.
  static let isText = ["recording": false, "csv": true, "jsonl": true]
}

extension TextFormat.Layout {
  /// What C asks for.
  init(_ options: inout Options) throws {
    switch try options.text("layout") ?? "wide" {
    case "wide": self = .wide
    case "long": self = .long
    default: throw options.wrong("layout", "wide or long")
    }
  }
}

extension RecorderOptions {
  /// What C asks for; a text has neither blocks nor further files.
  init(_ options: inout Options, isText: Bool) throws {
    self.init()
    switch try options.text("existing") ?? "refuse" {
    case "refuse": existing = .refuse
    case "append": existing = .append
    case "overwrite": existing = .overwrite
    default: throw options.wrong("existing", "refuse, append or overwrite")
    }
    blockInterval = try options.count("block_interval_ns") ?? blockInterval
    syncInterval = try options.count("sync_interval_ns") ?? syncInterval
    memoryLimit = try options.count("memory_limit").map(Int.init) ?? memoryLimit
    if isText { return }
    blockRows = try options.count("block_rows").map(Int.init) ?? blockRows
    blockBytes = try options.count("block_bytes").map(Int.init) ?? blockBytes
    rotateBytes = try options.count("rotate_bytes").map(Int.init)
    rotateInterval = try options.count("rotate_interval_ns")
    keep = try options.count("keep").map(Int.init)
  }
}
