public import Gathering
import Recording
import Streams
public import Values

/// A context as it is served: which of its sources, and what else there is to see.
public final class ServedContext: Sendable {
  /// How it is served.
  public struct Settings: Sendable {
    /// The sources to show, all instances where only a kind is named; empty for all.
    public var wanted: [SourceIdentifier] = []
    /// The interval of sources that a request does not give one, in nanoseconds; nil for the
    /// default of each kind.
    public var interval: Int64?
    /// The folder of recordings; nil for none.
    public var recordings: String?
    /// Whether requests may control anything.
    public var allowsControl = false

    /// All sources, at their own intervals, without recordings, without control.
    public init() {}

    fileprivate func serves(_ id: SourceIdentifier) -> Bool {
      wanted.isEmpty || wanted.contains { $0 == id || $0.instance == nil && $0.kind == id.kind }
    }
  }

  /// The context.
  public let context: Context
  let settings: Settings
  /// The sources that are served, as a list that can be watched.
  let instances: any ObservableArray<SourceDescription>
  let allowance: Allowance
  /// The sessions of single readings.
  let sessions: KeptSessions
  let usage = SourceUsage()
  let graphs: [ServedGraph]
  let recordings: RecordingFolder?
  let streams = StreamPlaces()
  let playback = Playback()
  /// What the server counts of itself.
  public let counts = ServerCounts()

  /// Serves a context. Throws the problem of a folder that is none.
  public init(
    _ context: Context, allow allowance: Allowance, _ settings: Settings,
    graphs: [ServedGraph] = []
  ) throws(SourceError) {
    self.context = context
    self.settings = settings
    let all = try context.instances()
    instances = settings.wanted.isEmpty ? all : all.filter { settings.serves($0.id) }
    self.allowance = allowance
    self.graphs = graphs
    sessions = KeptSessions(context)
    recordings = try settings.recordings.map { [usage, streams] path throws(SourceError) in
      try RecordingFolder(path, usage, streams)
    }
  }

  /// The sources that are served, of one kind or all, in catalogue order.
  func sources(of kind: String? = nil) throws(SourceError) -> [SourceDescription] {
    let all = try context.sources(of: kind)
    if settings.wanted.isEmpty { return all }
    return all.filter { settings.serves($0.id) }
  }

  /// What the server tells of itself.
  var figures: ServerFigures {
    ServerFigures(
      connections: counts.connections, streams: streams.count, lostRows: counts.lostRows)
  }

  /// The source that a text in a path or a parameter names.
  func identifier(_ text: String) throws -> SourceIdentifier {
    guard case .source(let id) = try TypedIdentifier.parse(text, in: context) else {
      throw Refusal(.invalidArgument, "\(Array(text.utf8).quotedExcerpt) is no source")
    }
    let known = try context.open(id).id
    guard settings.serves(known) || settings.serves(id) else {
      throw Refusal(.notFound, "\(id) is not served", remedy: "start the server with this id")
    }
    return known
  }

  /// Closes what it has opened besides the context, recordings first.
  public func close() {
    recordings?.closeAll()
    streams.endAll(because: "the server ends")
  }
}
