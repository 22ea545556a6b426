import Gathering
import Ground
import Streams
import Values

/// Runs a source for each instance of a kind, as they come and go, and gives the newest values of
/// all as lists.
///
/// An aggregate is none of what it counts. Lists wait for an instance that has come until it has
/// told of itself, which a start does at once (sources L3).
final class AllInstances: ObservedRunner {
  /// Takes the list for an output, with the times of the sample that caused it.
  typealias Receiver = @Sendable (_ output: String, _ list: Sample) -> Void

  private struct Member: Sendable {
    let number: Int
    let id: ExactText
    let runner: SourceRunner
    /// The newest payloads by the places of the kind's properties.
    var values: [Value]
    /// Whether it has told of itself, if only why it has no values.
    var hasTold = false
  }

  private struct State: Sendable {
    var interval: Int64?
    /// Another one with each beginning and end.
    var run = 0
    /// What the list had last; nil before it is known.
    var ids: [ExactText]?
    /// Those that could be opened, in the order of the list.
    var members: [Member] = []
    var lastNumber = 0
    var connection: Streams.Connection?

    /// The values of all at some places; none while one has not told of itself yet.
    func lists(at places: some Sequence<Int>) -> [(place: Int, list: Value)] {
      guard members.allSatisfy(\.hasTold) else { return [] }
      return places.map { place in (place, .list(members.map { $0.values[place] })) }
    }
  }

  private let kind: any SourceKind
  private let keys: [String]
  private let context: Context
  private let state: Lock<State>
  private let receive: Receiver

  /// The output that says which instances there are.
  private static let ids = "ids"

  init(
    of kind: any SourceKind, in context: Context, interval: Int64?, _ receive: @escaping Receiver
  ) {
    self.kind = kind
    self.context = context
    self.receive = receive
    keys = kind.properties.map(\.key)
    state = Lock(State(interval: interval))
  }

  deinit { end() }

  /// Lists of the ids and of each property of a kind.
  static func outputs(of kind: any SourceKind) -> [PortDescription] {
    [PortDescription(ids, .dict)]
      + kind.properties.map { PortDescription($0.key, .dict, unit: $0.unit) }
  }

  func change(interval: Int64) {
    let members = state.withLock { state in
      state.interval = interval
      return state.members
    }
    for member in members { member.runner.change(interval: interval) }
  }

  func begin() {
    let run = state.withLock { state in
      state.run += 1
      return state.run
    }
    guard
      let connection = try? context.instances(of: kind.kind).subscribe({ [weak self] list in
        self?.follow(list.filter { !$0.isAggregate }, in: run)
      })
    else { return }
    let isLate = state.withLock { state in
      if state.run == run { state.connection = connection }
      return state.run != run
    }
    if isLate { connection.disconnect() }
  }

  func end() {
    let (members, connection) = state.withLock { state in
      defer { (state.ids, state.members, state.connection) = (nil, [], nil) }
      state.run += 1
      return (state.members, state.connection)
    }
    connection?.disconnect()
    for member in members { member.runner.end() }
  }

  /// Runs what has come and lets go of what has gone.
  private func follow(_ list: [SourceDescription], in run: Int) {
    let ids = list.map { ExactText($0.id.description) }
    let (isNews, known) = state.withLock { state in
      let isNews = state.run == run && state.ids != ids
      if isNews { state.ids = ids }
      return (isNews, state.members)
    }
    guard isNews else { return }
    let (kept, wanted) = (Set(known.map(\.id)), Set(ids))
    let fresh = zip(ids, list).compactMap { id, description in
      kept.contains(id) ? nil : member(id, description.id)
    }
    let (members, lists) = state.withLock { state -> ([Member]?, [(place: Int, list: Value)]) in
      guard state.run == run else { return (nil, []) }
      let all = Dictionary(
        (state.members + fresh).map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
      state.members = ids.compactMap { all[$0] }
      return (state.members, state.lists(at: keys.indices))
    }
    guard let members else { return }
    for member in known where !wanted.contains(member.id) { member.runner.end() }
    receive(Self.ids, Sample(.list(members.map { .string($0.id.text) })))
    for (place, list) in lists { receive(keys[place], Sample(list)) }
    for member in fresh { member.runner.begin() }
    let isLate = state.withLock { $0.run != run }
    if isLate { for member in fresh { member.runner.end() } }
  }

  /// Opens an instance; nil if the context will not.
  private func member(_ id: ExactText, _ source: SourceIdentifier) -> Member? {
    guard let source = try? context.open(source) else { return nil }
    let (number, interval) = state.withLock { state in
      state.lastNumber += 1
      return (state.lastNumber, state.interval)
    }
    let runner = SourceRunner(source, interval: interval) { [weak self] properties, samples, all in
      self?.take(properties, samples, all: all, of: number)
    }
    let values = Array(repeating: Value.none, count: keys.count)
    return Member(number: number, id: id, runner: runner, values: values)
  }

  private func take(_ properties: [Property], _ samples: [Sample], all: Bool, of number: Int) {
    let news = zip(properties, samples).compactMap { property, sample in
      let isNews = all || sample.flags.contains(.isNew)
      return isNews ? keys.firstIndex { $0.isSpelt(property.key) }.map { ($0, sample) } : nil
    }
    let lists = state.withLock { state -> [(place: Int, list: Value)] in
      guard let index = state.members.firstIndex(where: { $0.number == number }) else { return [] }
      for (place, sample) in news { state.members[index].values[place] = sample.payload ?? .none }
      if state.members[index].hasTold { return state.lists(at: news.map(\.0)) }
      state.members[index].hasTold = true
      return state.lists(at: keys.indices)
    }
    for (place, list) in lists {
      let cause = news.first { $0.0 == place }?.1 ?? samples.first
      receive(
        keys[place], Sample(list, time: cause?.time ?? 0, realtime: cause?.realtime ?? 0))
    }
  }
}
