import Gathering
import Values

/// What a stream is asked for: `source=ID;every=S` of each source, and outputs of graphs.
struct StreamPlan: Equatable, Sendable {
  /// One source.
  struct Wish: Equatable, Sendable {
    let id: SourceIdentifier
    /// In nanoseconds; nil for the default of its kind.
    var interval: Int64?
  }

  private(set) var wishes: [Wish] = []
  private(set) var outputs: [String] = []
  /// The graphs whose nodes' outputs are wanted.
  private(set) var graphs: [String] = []
  /// Whether fast sources come in columns.
  private(set) var hasFrames = true
  /// Whether numbers of columns keep all digits of a double.
  private(set) var isExact = false

  /// The bounds of an interval, in seconds.
  private static let bounds = Double(Limits.minimumInterval) / 1e9...86_400

  static let parameters = [
    Route.Parameter(
      name: "source", meaning: "an id, and behind ;every= its interval in seconds",
      isRepeated: true),
    Route.Parameter(
      name: "output", meaning: "an output of a graph, as GRAPH/OUTPUT", isRepeated: true),
    Route.Parameter(
      name: "ports", meaning: "a graph, for the values of its nodes' outputs", isRepeated: true),
    Route.Parameter(name: "frames", meaning: "0: fast sources come reading by reading, too"),
    Route.Parameter(name: "exact", meaning: "1: numbers of columns keep all their digits"),
  ]

  /// Takes the parameters of a request apart.
  init(_ call: RouteCall, _ served: ServedContext) throws {
    for text in call.texts("source") {
      let parts = text.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
      let id = try served.identifier(String(parts[0]))
      var wish = Wish(id: id, interval: served.settings.interval)
      if parts.count > 1 { wish.interval = try Self.interval(parts[1], served.settings.interval) }
      if !wishes.contains(where: { $0.id == id }) { wishes.append(wish) }
    }
    if wishes.count > Limits.sourcesOfStream {
      throw Refusal(
        .limit, "a stream has at most \(Limits.sourcesOfStream) sources", status: .badRequest)
    }
    outputs = call.texts("output")
    for name in outputs where served.output(named: name) == nil {
      let names = served.graphs.flatMap(\.outputNames)
      throw Refusal(.notFound, Nearest.sentence(to: name, among: names, what: "output"))
    }
    graphs = call.texts("ports")
    for name in graphs { _ = try served.graph(named: name) }
    hasFrames = try call.flag("frames") ?? true
    isExact = try call.flag("exact") ?? false
  }

  private static func interval(_ text: Substring, _ standard: Int64?) throws(Refusal) -> Int64? {
    guard text.hasPrefix("every=") else {
      throw Refusal(.invalidArgument, "behind the id of a source comes ;every=SECONDS")
    }
    let word = String(text.dropFirst(6))
    return word == "kind" ? standard : try RouteCall.duration(word, named: "every", within: bounds)
  }

  /// By how much intervals have to grow so that all rows together stay within the limit (W18).
  static func stretch(of intervals: [Int64]) -> Double {
    let rows = intervals.reduce(0.0) { $0 + 1e9 / Double($1) }
    return max(1, rows / Double(Limits.rowsPerSecond))
  }
}
