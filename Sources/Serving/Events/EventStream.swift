import Gathering
import Ground
import Recording
import Streams
import Values

/// A stream of events for one client (serve section 6).
///
/// Its sessions are its own: what it has started stops with it (W25). Every call is allowed on any
/// thread.
final class EventStream: LiveAnswer {
  private struct State {
    var members: [StreamMember] = []
    var tokens: [ListenerToken] = []
    var connections: [Connection] = []
    var wake: @Sendable () -> Void = {}
    var recordings: [String: UInt64] = [:]
    var ports: [PortValues] = []
    var isFinished = false
  }

  private let served: ServedContext
  private let plan: StreamPlan
  private let queue: EventQueue
  private let state = Lock(State())

  init(_ plan: StreamPlan, _ served: ServedContext) {
    self.plan = plan
    self.served = served
    queue = EventQueue(served.counts)
  }

  /// How much later `pulse` wants to be called, in nanoseconds; nil while it need not be.
  var pulseInterval: Int64? {
    if queue.isEnded { return nil }
    let (members, hasPorts) = state.withLock { ($0.members, !$0.ports.isEmpty) }
    if hasPorts || members.contains(where: \.isFast) { return Limits.frameTime }
    return served.recordings?.isWriting == true ? 1_000_000_000 : nil
  }

  /// Whether the last event was put.
  var isEnded: Bool { queue.isEnded }

  /// Rows that the client has lost.
  var lostRows: UInt64 { queue.lostRows }

  /// Takes text that waits, up to about a number of bytes; empty if none does.
  func take(upTo limit: Int) -> [UInt8] { queue.take(upTo: limit) }

  /// Starts the sources. `wake` is called from then on when text waits or the pulse may have
  /// changed. May block.
  func begin(wake: @escaping @Sendable () -> Void) {
    state.withLock { $0.wake = wake }
    do {
      try open()
    } catch {
      queue.end(because: "\(error)")
    }
    // The client may have gone meanwhile; what was started since then stops, too.
    if state.withLock({ $0.isFinished }) { finish() }
    wake()
  }

  /// Puts the columns of fast sources, and how recordings go on.
  func pulse() {
    let (members, ports) = state.withLock { ($0.members, $0.ports) }
    for member in members where member.isFast { member.putFrames(into: queue, plan.isExact) }
    for values in ports { values.put(into: queue) }
    putRecordings()
  }

  /// Keeps proxies awake.
  func comment() { queue.comment() }

  /// Puts the last event, and lets go of the sources.
  func end(because reason: String) {
    queue.end(because: reason)
    finish()
    wake()
  }

  /// Lets go of the sources; the client is gone, or will be.
  func finish() {
    let former = state.withLock { state in
      defer { state = State(wake: state.wake, isFinished: true) }
      return state
    }
    for token in former.tokens { token.end() }
    for connection in former.connections { connection.disconnect() }
    for values in former.ports { values.close() }
    for member in former.members { member.finish(served.usage) }
    served.streams.leave(self)
  }

  // MARK: Below

  private func wake() { state.withLock { $0.wake }() }

  private func open() throws {
    var members = try plan.wishes.map { wish in
      try StreamMember(wish, of: served.context)
    }
    let stretch = StreamPlan.stretch(of: members.map(\.wanted))
    do {
      for place in members.indices {
        try members[place].start(stretch: stretch, inFrames: plan.hasFrames, served.usage)
      }
    } catch {
      for member in members { member.finish(served.usage) }
      throw error
    }
    state.withLock { $0.members = members }
    putHello(members)
    for member in members where member.hasValues { put(member.source, member.source.allValues) }
    listen(to: members)
    listenToList()
    try listenToOutputs()
  }

  private func putHello(_ members: [StreamMember]) {
    let sources = members.compactMap { member -> Value? in
      guard let facts = try? SourceFacts(member.source.id, in: served, session: member.source)
      else { return nil }
      var row = facts.dictionary(isUpdating: true)
      row["interval_ns"] = member.granted.map(Value.int) ?? Value.none
      return .dictionary(row)
    }
    let hello: ValueDictionary = [
      "session": .string(String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)),
      "clock": .dictionary(served.clock), "sources": .list(sources),
      "outputs": .list(plan.outputs.map { .string($0) }),
      "replay": served.replay.map { .dictionary($0) } ?? Value.none,
    ]
    queue.put("hello", JSONBody.text(.dictionary(hello)))
  }

  private func listen(to members: [StreamMember]) {
    var tokens: [ListenerToken] = []
    for member in members {
      let source = member.source
      tokens.append(
        source.addEventListener { [weak self, weak source] event in
          if let self, let source { put(event, source) }
        })
      if member.isFast { continue }
      tokens.append(
        source.addUpdateListener { [weak self, weak source] update in
          guard let self, let source else { return }
          for row in update.rows { put(source, row) }
          wake()
        })
    }
    let all = tokens
    state.withLock { $0.tokens += all }
  }

  /// Puts what becomes of the list of sources; first a digest, by which a client knows whether the
  /// list it has is the present one.
  private func listenToList() {
    let connection = served.instances.changes.subscribe { [weak self] change in self?.put(change) }
    state.withLock { $0.connections.append(connection) }
    queue.put("sources", JSONBody.text(.dictionary(ListDigest(served.instances.value).dictionary)))
  }

  private func listenToOutputs() throws {
    let connections = try plan.outputs.compactMap { name in
      try served.output(named: name)?.subscribe { [weak self] sample in
        guard let self else { return }
        queue.put("output", JSONBody.text(.dictionary(ServedGraph.facts(of: sample, named: name))))
        wake()
      }
    }
    let ports = try plan.graphs.map { name in
      try PortValues(of: try served.graph(named: name))
    }
    state.withLock { state in
      state.connections += connections
      state.ports = ports
    }
  }

  private func put(_ source: Source, _ samples: [Sample]) {
    let reading = ReadingFacts(source, samples).dictionary(at: served.context.now.realtime)
    queue.put("update", JSONBody.text(.dictionary(reading)), rows: 1)
  }

  /// Puts what has happened to a source of the stream.
  private func put(_ event: SourceEvent, _ source: Source) {
    var row: SourceDescription?
    if case .availabilityChanged(let availability) = event.what {
      row = SourceDescription(
        id: event.id, name: source.name, label: source.label, availability: availability)
    }
    put(event.what.facts, of: event.id, row)
    wake()
  }

  /// Puts which sources have come and gone, and which are available or named otherwise; those of
  /// the stream tell by themselves when they are available otherwise.
  private func put(_ change: ArrayChange<SourceDescription>) {
    let former = Dictionary(
      change.modifications.flatMap(\.old).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let come = Set(change.modifications.flatMap(\.new).map(\.id))
    for modification in change.modifications {
      for row in modification.old where !come.contains(row.id) {
        put(SourceEvent.What.removed.facts, of: row.id)
      }
      for (place, row) in zip(modification.range, modification.new) {
        if let known = former[row.id] { putChange(of: row, from: known); continue }
        var facts = SourceEvent.What.added.facts
        facts["at"] = .int(Int64(place))
        put(facts, of: row.id, row)
      }
    }
    wake()
  }

  private func putChange(of row: SourceDescription, from former: SourceDescription) {
    if row.availability == former.availability {
      return put(["event": .string("changed")], of: row.id, row)
    }
    if state.withLock({ $0.members }).contains(where: { $0.source.id == row.id }) { return }
    put(SourceEvent.What.availabilityChanged(row.availability).facts, of: row.id, row)
  }

  private func put(
    _ facts: ValueDictionary, of id: SourceIdentifier, _ row: SourceDescription? = nil
  ) {
    var facts = facts
    facts["id"] = .string(id.description)
    facts["row"] = row.map {
      .dictionary(SourceFacts.row($0, isUpdating: served.usage.isUpdating(id)))
    }
    queue.put("source", JSONBody.text(.dictionary(facts)))
  }

  /// Puts how far each recording that is written has come, once each time it has grown.
  private func putRecordings() {
    for (name, statistics) in served.recordings?.progress ?? [] {
      let isNews = state.withLock { state in
        defer { state.recordings[name] = statistics.rows }
        return state.recordings[name] != statistics.rows
      }
      if isNews { put(name, statistics, isWriting: true) }
    }
  }

  /// Puts that a recording was ended.
  func putEnd(of name: String, _ statistics: RecorderStatistics) {
    // A plain number.
    state.withLock { $0.recordings[name] = nil }
    put(name, statistics, isWriting: false)
    wake()
  }

  private func put(_ name: String, _ statistics: RecorderStatistics, isWriting: Bool) {
    let facts: ValueDictionary = [
      "name": .string(name), "rows": .int(Int64(clamping: statistics.rows)),
      "bytes": .int(Int64(clamping: statistics.bytes)),
      "lost": .int(Int64(clamping: statistics.lost)), "recording": .bool(isWriting),
    ]
    queue.put("recording", JSONBody.text(.dictionary(facts)))
  }

  /// Puts where a replay is.
  func putReplay() {
    guard let replay = served.replay else { return }
    queue.put("replay", JSONBody.text(.dictionary(replay)))
    wake()
  }

  /// Sets a value of its session on a source, if it has one.
  func set(_ value: Value, ofPropertyAt place: Int, of id: SourceIdentifier) {
    let member = state.withLock { state in state.members.first { $0.source.id == id } }
    try? member?.source.set(value, ofPropertyAt: place)
  }

  /// Has the transport look at the pulse again.
  func touch() { wake() }
}
