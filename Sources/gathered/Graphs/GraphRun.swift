import Gathering
import Patches
import Streams

/// A graph that runs until enough was seen: the loop behind `gathered graph run`.
struct GraphRun {
  /// When it is over.
  struct Limits {
    /// The number of values to print, of all outputs together.
    var count: Int?
    /// The length of the run in nanoseconds.
    var duration: Int64?
  }

  /// A value or an error of the graph.
  private enum Item: Sendable {
    case value(OutputRecord)
    case trouble(path: String, PatchError)
  }

  private let context: Context
  /// It keeps its patches.
  private let graph: Graph
  private let limits: Limits
  private let loop: CommandLoop
  private let isJSON: Bool
  private let inbox = Inbox<Item>()
  private let connections: [Connection]
  private var shown = 0
  /// How often each error came.
  private var troubles: [String: Int] = [:]
  private var isEnding = false

  /// Listens to the outputs a graph offers and to the errors of its patches.
  init(
    _ graph: Graph, in context: Context, until limits: Limits, signals: SignalInbox, isJSON: Bool
  ) throws {
    self.context = context
    self.graph = graph
    self.limits = limits
    self.isJSON = isJSON
    loop = CommandLoop(context: context, signals: signals)
    let members = GraphMembers(of: graph)
    if let failure = try members.failure(in: context) { throw failure }
    let inbox = inbox
    let errors = members.all.map { member in
      let (path, patch) = (member.path, member.patch)
      let count = patch.errorCount()
      if count > 0 { CommandFailure("\(path): \(count) values failed from the start").report() }
      return patch.errors.subscribe { inbox.put(.trouble(path: path, $0)) }
    }
    let outputs = graph.patch.outputNames.compactMap { name in
      try? graph.patch.output(name).subscribe { sample in
        inbox.put(.value(OutputRecord(name: name, sample: sample)))
      }
    }
    connections = errors + outputs
  }

  /// Runs until the limits are reached or a signal comes.
  mutating func run() throws {
    let end = limits.duration.map { loop.now + $0 }
    // Values of the start are printed, however short the run.
    _ = try context.dispatch(timeout: 0)
    while true {
      try takeItems()
      if isEnding || isFull || end.map({ loop.now >= $0 }) ?? false { break }
      if loop.hasPlayedAll {
        try context.flush(timeout: 1_000_000_000)
        try takeItems()
        break
      }
      isEnding = !(try loop.wait(until: end, step: 1_000_000_000)).isEmpty
    }
    for connection in connections { connection.disconnect() }
    for (text, count) in troubles.sorted(by: { $0.key < $1.key }) where count > 1 {
      CommandFailure("\(text) (\(count) times)").report()
    }
  }

  private var isFull: Bool { limits.count.map { shown >= $0 } ?? false }

  private mutating func takeItems() throws {
    for item in inbox.takeAll() where !isFull {
      switch item {
      case .value(let record):
        shown += 1
        try StandardOutput.write((isJSON ? record.json() : record.line) + "\n")
      case .trouble(let path, let error): report(error, of: path)
      }
    }
  }

  /// Prints an error the first time it occurs: a value that does not fit often repeats.
  private mutating func report(_ error: PatchError, of path: String) {
    let text = "\(path): \(error.message)"
    troubles[text, default: 0] += 1
    if troubles[text] == 1 { CommandFailure(text).report() }
  }
}
