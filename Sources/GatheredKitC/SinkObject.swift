import DataSources
import Gathering
import Ground
import Recording
import Values

/// What takes samples in, as C holds it: a recording, or a text, being written.
final class SinkObject: HandleObject, @unchecked Sendable {
  // Safe: everything in it is Sendable by itself.
  let recorder: Recorder
  let owner: ContextObject
  private let name: SinkName?
  private let format: String

  init(_ recorder: Recorder, format: String, named name: SinkName?, of owner: ContextObject) {
    self.recorder = recorder
    self.format = format
    self.owner = owner
    self.name = name
    super.init(.sink)
    owner.add(self)
  }

  /// Gives its name up, so that patches no longer find it, and writes what has come.
  func close() throws {
    name?.end()
    try recorder.close()
  }

  /// What it has taken in, and what has become of that.
  var information: ValueDictionary {
    recorder.information.dictionary(format: format, target: recorder.path)
  }

  override var keeper: (any HandleKeeper)? { owner }

  override var summary: String { "sink \(format) \(recorder.path)" }
}

/// A name under which the patch `record` finds a sink, as long as this lives.
final class SinkName: Sendable {
  private let name: String
  private let sink: any SampleSink
  private let context: Context

  /// Nil without a name. Throws EXISTS for one that another sink of the context has.
  static func claim(
    _ name: String?, in context: Context, for sink: () -> any SampleSink
  ) throws -> SinkName? {
    guard let name, !name.isEmpty else { return nil }
    try check(name, in: context)
    let sink = sink()
    guard context.sampleSinks.claim(name, for: sink) else { throw taken(name) }
    return SinkName(name, sink, context)
  }

  /// Throws EXISTS for a name that a sink of the context has.
  static func check(_ name: String?, in context: Context) throws {
    if let name, context.sampleSinks[name] != nil { throw taken(name) }
  }

  private static func taken(_ name: String) -> Failure {
    Failure(Status.exists, "there is a sink \(Array(name.utf8).quotedExcerpt) in this context")
  }

  private init(_ name: String, _ sink: any SampleSink, _ context: Context) {
    self.name = name
    self.sink = sink
    self.context = context
  }

  deinit { end() }

  /// Gives the name up; patches that have found the sink keep it.
  func end() { context.sampleSinks.giveBack(name, of: sink) }
}

extension SinkName {
  /// A name of a data source, into which samples are put as rows.
  static func claim(
    _ name: String?, for access: DataAccess<Value>, of owner: ContextObject
  ) throws -> SinkName? {
    try claim(name, in: owner.context) { DataSourceSink(access) { .dictionary($0) } }
  }
}

/// The formats of sinks.
enum SinkFormat {
  /// Whether each is text for other programs.
  static let isText = ["recording": false, "csv": true, "jsonl": true]
}

extension TextFormat.Layout {
  /// What C asks for; nil where it leaves that open.
  init?(ifGiven options: inout Options) throws {
    switch try options.text("layout") {
    case nil: return nil
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
    if memoryLimit > Room.limit {
      throw Failure(Status.limit, "memory_limit is more than \(Room.limit) bytes")
    }
    if isText { return }
    blockRows = try options.count("block_rows").map(Int.init) ?? blockRows
    blockBytes = try options.count("block_bytes").map(Int.init) ?? blockBytes
    rotateBytes = try options.count("rotate_bytes").map(Int.init)
    rotateInterval = try options.count("rotate_interval_ns")
    keep = try options.count("keep").map(Int.init)
  }
}
