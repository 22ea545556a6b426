import Gathering
import Ground
import Recording
import Values

/// What a publisher knows of one source or stream. Moments are of CLOCK_MONOTONIC.
final class PublishedSeries {
  /// Its number in the queue.
  let number: Int
  /// Its kind and its instance in topics.
  let kind: String
  let instance: String
  private var packer: SeriesPacker
  /// What is shown of a property instead of its value, by its index: its category may not leave the
  /// machine.
  private var masks: [Int: Outcome]

  /// The newest reading, and what of it the last state told.
  private(set) var newest: [Sample] = []
  private var told: [Progress] = []
  /// When the next state may be sent, and when it is to be repeated.
  private(set) var stateDue = Int64.min
  private(set) var heartbeatDue = Int64.max
  /// The interval told last, and whether every reading is sent.
  var interval: Int64 = 0
  var hasRows = false

  /// The rows that wait to become a message, and when the first of them came.
  private var waiting: RecorderRun
  private(set) var waitingSince: Int64?
  /// When the last reading came.
  private(set) var lastArrival: Int64?
  /// What a stream's values are, once that is known.
  private(set) var valueType = StreamValueType.unknown
  /// How many rows of it were lost that no event has told of.
  private(set) var untold: Int64 = 0
  /// The number of the next block.
  private var nextBlock: UInt32 = 0
  /// Whether the next message has to describe the series.
  var needsDescription = true

  private struct Progress: Equatable {
    let sequence: UInt64
    let status: ValueStatus

    init(_ sample: Sample) { (sequence, status) = (sample.sequence, sample.status) }
  }

  init(_ number: Int, _ facts: RecordedSeries, allow: Allowance) {
    self.number = number
    (kind, instance) = Self.topic(of: facts)
    packer = SeriesPacker(facts)
    waiting = RecorderRun(series: number)
    masks = Self.masks(of: facts, allow)
  }

  private static func masks(of facts: RecordedSeries, _ allow: Allowance) -> [Int: Outcome] {
    facts.properties.enumerated().reduce(into: [:]) { masks, property in
      guard let category = property.element.category, !allow.permits(category) else { return }
      masks[property.offset] = .permission(
        "withheld", remedy: "publish with allow=\(category.rawValue)")
    }
  }

  /// Its source is another now, or says otherwise what it is. Rows that wait were packed before.
  func become(_ facts: RecordedSeries, allow: Allowance) {
    guard !facts.isSame(as: packer.facts) else {
      packer.facts = facts
      return
    }
    packer = SeriesPacker(facts)
    masks = Self.masks(of: facts, allow)
    (newest, told, needsDescription) = ([], [], true)
  }

  /// What it is.
  var facts: RecordedSeries { packer.facts }

  /// Whether it is a stream, whose rows have one value each.
  var isStream: Bool { if case .stream = facts.origin { true } else { false } }

  /// Its properties: of a stream the one that its values show.
  var properties: [Property] { isStream ? valueType.properties : facts.properties }

  /// What `about` tells of it.
  var described: RecordedSeries {
    var described = facts
    described.properties = properties
    return described
  }

  private static func topic(of facts: RecordedSeries) -> (kind: String, instance: String) {
    switch facts.origin {
    case .source(let id): (id.kind, id.instance ?? "")
    case .stream(let name): (FleetTopic.streamKind, name)
    }
  }

  /// What a message of a series is about, which may be an earlier session's.
  static func subject(_ what: FleetTopic.What, of facts: RecordedSeries) -> FleetTopic.Subject {
    let (kind, instance) = topic(of: facts)
    return .source(kind: kind, instance: instance, what)
  }

  /// What a message of it is about.
  func subject(_ what: FleetTopic.What) -> FleetTopic.Subject {
    .source(kind: kind, instance: instance, what)
  }

  // MARK: Readings

  /// Takes what was read of it, before which rows were lost; what does not fit its properties is
  /// left out. It may have come before it is taken.
  func take(
    _ content: RecorderQueue.Item.Content, lost: Int64, at now: Int64, since arrival: Int64
  ) {
    untold += lost
    waiting.lost += lost
    if case .event = content { return }
    lastArrival = now
    switch content {
    case .event: return
    case .reading(let samples): take(samples, at: arrival)
    case .rows(let slice):
      guard masks.isEmpty else {
        for row in 0..<slice.rowCount { take(slice.samples(ofRow: row), at: arrival) }
        return
      }
      guard slice.rowCount > 0, slice.propertyCount == facts.width else { return }
      newest = slice.samples(ofRow: slice.rowCount - 1)
      wait(
        .rows(slice, 0..<slice.rowCount), rows: slice.rowCount, weight: slice.packedWeight,
        at: arrival)
    }
  }

  private func take(_ samples: [Sample], at arrival: Int64) {
    guard samples.count == facts.width else { return }
    newest = samples
    if isStream { valueType.note(samples[0].value) }
    for (index, mask) in masks where newest.indices.contains(index) {
      newest[index].value = .none
      newest[index].status = mask.status
      newest[index].absence = mask.absence
    }
    let weight = newest.reduce(64) { $0 + 16 + $1.value.weight }
    wait(.reading(newest), rows: 1, weight: weight, at: arrival)
  }

  private func wait(
    _ piece: RecorderRun.Piece, rows: Int, weight: Int, at arrival: Int64
  ) {
    guard hasRows else {
      waiting.lost = 0
      return
    }
    if waitingSince == nil { waitingSince = arrival }
    waiting.pieces.append(piece)
    waiting.rows += rows
    waiting.weight += weight
    waiting.width = facts.width
  }

  /// Whether the rows that wait are to go first, since these would make the message longer than it
  /// may be.
  func isFilled(by content: RecorderQueue.Item.Content, bound: Int) -> Bool {
    guard case .rows(let slice) = content, waiting.weight > 0 else { return false }
    return waiting.weight + slice.packedWeight > bound
  }

  // MARK: States

  /// Whether something is new since the last state.
  var isNew: Bool { !newest.isEmpty && newest.map(Progress.init) != told }

  /// When a state is to be sent; nil if none is.
  var dueState: Int64? {
    if newest.isEmpty { return nil }
    return isNew ? min(stateDue, heartbeatDue) : heartbeatDue
  }

  /// The state as it is now; new is what no state has told.
  func state(session: String, sent: Instant) -> StateMessage {
    let sources = facts.properties
    let entries = newest.enumerated().map { index, sample in
      var sample = sample
      let isTold = told.indices.contains(index) && told[index] == Progress(sample)
      if isTold { sample.flags.remove(.isNew) } else { sample.flags.insert(.isNew) }
      let property = sources.indices.contains(index) ? sources[index] : nil
      return StateMessage.Entry(
        key: property?.key ?? "value", unit: property?.unit, sample: sample)
    }
    return StateMessage(id: facts.name, session: session, sent: sent, entries)
  }

  /// A state was sent at a moment.
  func noteState(at now: Int64, _ options: PublisherOptions) {
    told = newest.map(Progress.init)
    stateDue = now + options.stateInterval
    heartbeatDue = now + options.heartbeat
  }

  /// A new connection knows nothing of it.
  func forgetTold() {
    (told, stateDue) = ([], .min)
    needsDescription = true
  }

  // MARK: Rows

  /// About how many bytes wait to become a message.
  var waitingBytes: Int { waiting.weight }

  /// The rows that wait as a message; nil where there are none.
  ///
  /// For a spool the description has its number in each: what is sent late has it.
  func message(
    session: String, at instant: Instant, isSpooled: Bool = false
  ) -> RowsMessage? {
    if waitingSince == nil { return nil }
    let run = waiting
    (waiting, waitingSince) = (RecorderRun(series: number), nil)
    var message = RowsMessage(session: session, number: nextBlock)
    if needsDescription {
      message.append(.series, facts.dictionary)
      needsDescription = false
    } else if isSpooled {
      message.leftOut = 1
    }
    if untold > 0 {
      var event = RecordedEvent(facts.number, RecordedEvent.What.lost, at: instant)
      event.rows = untold
      message.append(.event, event.dictionary)
      run.lost = max(run.lost, 1)
      untold = 0
    }
    guard let (body, rowCount) = packer.pack(run) else { return nil }
    message.append(rows: body, count: rowCount, of: facts.number)
    nextBlock &+= message.blockCount
    return message
  }

  /// Numbers for so many further blocks.
  func takeNumbers(_ count: UInt32) -> UInt32 {
    defer { nextBlock &+= count }
    return nextBlock
  }

  /// Rows of a message that was not sent are lost: the next one tells.
  func lose(_ rows: Int) { untold += Int64(rows) }
}

extension RowSlice {
  /// About how many bytes its rows take in a message.
  fileprivate var packedWeight: Int { rowCount * (16 + 8 * propertyCount) }
}
