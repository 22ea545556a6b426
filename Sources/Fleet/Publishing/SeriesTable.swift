import Gathering
import Ground
import Recording
import Values

/// The sources and streams of a publisher, and what becomes of their readings.
struct SeriesTable {
  private(set) var series: [Int: PublishedSeries] = [:]
  /// Those whose instance is gone.
  private(set) var gone: Set<Int> = []
  /// Until when rows of a series need wake nothing: it is looked at then.
  private(set) var rests: [Int: Int64] = [:]
  /// Whether the list of them is another than was told.
  var isListOutdated = false
  /// The kinds of which something is another than was told.
  private var outdatedKinds: [String] = []
  /// The sources that cannot be published, and why.
  private var leftOut = ValueDictionary()
  private let facts: PublisherFacts
  /// How many series there were: one with other properties is another.
  private var count: UInt32 = 0

  init(_ facts: PublisherFacts) { self.facts = facts }

  private var options: PublisherOptions { facts.options }

  /// The numbers of all, in order.
  var numbers: [Int] { series.keys.sorted() }
  /// The numbers of all that are there, in order.
  var present: [Int] { numbers.filter { !gone.contains($0) } }

  subscript(number: Int) -> PublishedSeries? { series[number] }

  /// The series that wake nothing at a moment.
  func quiet(at now: Int64) -> Set<Int> { Set(rests.filter { $0.value > now }.keys) }

  // MARK: Taking

  /// Takes some of what waited in the queue; behind the last of that, what is lost.
  mutating func take(
    _ places: Range<Int>, of batch: RecorderQueue.Batch, _ changes: [InstanceChange],
    at now: Int64, _ outgoing: Outgoing
  ) {
    for number in batch.origins.indices where series[number] == nil {
      introduce(number, batch.origins[number], outgoing)
    }
    for item in batch.items[places] {
      let (number, origin) = (item.series, batch.origins[item.series])
      if case .event = item.content { refresh(number, origin, at: now, outgoing) }
      noteRate(of: number, item.content, origin, at: now, outgoing)
      guard let known = series[number] else { continue }
      if known.isFilled(by: item.content, bound: outgoing.bound) { pack(number, at: now, outgoing) }
      let valueType = known.valueType
      known.take(item.content, lost: item.lost, at: now, since: min(now, batch.firstArrival))
      if known.valueType != valueType { announce(number, outgoing) }
      if known.waitingBytes >= outgoing.bound { pack(number, at: now, outgoing) }
    }
    if places.upperBound == batch.items.count {
      for (number, rows) in batch.lost { series[number]?.lose(Int(rows)) }
    }
    for change in changes { note(change, outgoing) }
  }

  private mutating func introduce(
    _ number: Int, _ origin: RecorderQueue.Origin, _ outgoing: Outgoing
  ) {
    var description: RecordedSeries
    switch origin {
    case .stream(let name): description = RecordedSeries(0, .stream(name))
    case .source(_, let added): description = shown(added)
    }
    description.number = count
    count += 1
    let made = PublishedSeries(number, description, allow: options.allow)
    made.hasRows = options.sendsAllRows
    series[number] = made
    refresh(number, origin, at: 0, outgoing)
    announce(number, outgoing)
  }

  private mutating func announce(_ number: Int, _ outgoing: Outgoing) {
    noteNews(of: number)
    outgoing.announcements.append(.about(number))
  }

  private mutating func noteNews(of number: Int) {
    isListOutdated = true
    if let kind = series[number]?.kind, !outdatedKinds.contains(kind) { outdatedKinds.append(kind) }
  }

  /// The kinds of which something is another than was told, once.
  mutating func takeOutdatedKinds() -> [String] {
    defer { outdatedKinds = [] }
    return outdatedKinds
  }

  /// A source as it is shown: a label may bear names that people gave.
  private func shown(_ description: RecordedSeries) -> RecordedSeries {
    let isPersonal = description.properties.contains { property in
      (property.category == .hostname || property.category == .ssid)
        && !options.allow.permits(property.category)
    }
    guard isPersonal else { return description }
    var shown = description
    shown.label = description.kindName
    return shown
  }

  /// What a source is may have changed; with other properties it is another series.
  private mutating func refresh(
    _ number: Int, _ origin: RecorderQueue.Origin, at now: Int64, _ outgoing: Outgoing
  ) {
    guard case .source(let source, _) = origin, let known = series[number],
      !source.context.isClosed
    else { return }
    var description = shown(RecordedSeries(known.facts.number, source))
    let interval = source.rates.granted ?? 0
    if description == known.facts, interval == known.interval { return }
    if !description.isSame(as: known.facts) {
      pack(number, at: now, outgoing)
      description.number = count
      count += 1
    }
    let options = options
    series[number]?.become(description, allow: options.allow)
    series[number]?.interval = interval
    if options.rows == .auto, !options.sendsAllRows {
      series[number]?.hasRows = interval > 0 && interval < options.stateInterval
    }
    announce(number, outgoing)
  }

  /// Readings that come faster than states are sent are sent as rows.
  private mutating func noteRate(
    of number: Int, _ content: RecorderQueue.Item.Content, _ origin: RecorderQueue.Origin,
    at now: Int64, _ outgoing: Outgoing
  ) {
    guard options.rows == .auto, let known = series[number], !known.hasRows else { return }
    let isFast: Bool
    switch (content, origin) {
    case (.event, _): return
    case (.rows, _): isFast = true
    case (.reading, .stream):
      isFast = known.lastArrival.map { now - $0 < options.stateInterval } ?? false
    case (.reading, .source(let source, _)):
      if known.lastArrival == nil { refresh(number, origin, at: now, outgoing) }
      let interval = source.rates.granted ?? 0
      isFast = interval > 0 && interval < options.stateInterval
    }
    guard isFast else { return }
    series[number]?.hasRows = true
    outgoing.announcements.append(.about(number))
  }

  private mutating func note(_ change: InstanceChange, _ outgoing: Outgoing) {
    let name = change.id.description
    if leftOut[name]?.text != change.refusal {
      leftOut[name] = change.refusal.map(Value.string)
      isListOutdated = true
    }
    for (number, known) in series where known.facts.origin == .source(change.id) {
      let isNews = change.isThere ? gone.remove(number) != nil : gone.insert(number).inserted
      guard isNews else { continue }
      noteNews(of: number)
      outgoing.announcements.append(change.isThere ? .about(number) : .clearing(number))
    }
  }

  // MARK: Giving

  /// Makes a message of the rows of a series that wait; the oldest of all give way if need be.
  mutating func pack(_ number: Int, at now: Int64, _ outgoing: Outgoing) {
    let (session, instant) = (facts.session, facts.clock.now)
    let isSpooled = options.spool != nil
    let message = series[number]?.message(
      session: session, at: instant, isSpooled: isSpooled)
    guard let message, let known = series[number] else { return }
    rests[number] = now + options.batchInterval
    let lost = outgoing.append(message, of: number, known.facts, limit: options.memoryLimit)
    for entry in lost { series[number]?.lose(entry.message.rowCount) }
  }

  /// Whether rows wait to become messages.
  var hasWaiting: Bool { series.values.contains { $0.waitingSince != nil } }

  /// The number of the series of an origin.
  func number(of origin: RecordedSeries.Origin) -> Int? {
    series.first { $0.value.facts.origin == origin }?.key
  }

  /// Rows of an origin are lost: the next message of its series tells.
  mutating func lose(_ rows: Int, of origin: RecordedSeries.Origin) {
    if let number = number(of: origin) { series[number]?.lose(rows) }
  }

  /// Makes messages of all rows that have waited long enough, and of those of all if told so; asks
  /// for the states that are due.
  mutating func plan(at now: Int64, isFlushing: Bool, tells: Bool, _ outgoing: Outgoing) {
    for (number, known) in series {
      if let since = known.waitingSince, isFlushing || now - since >= options.batchInterval {
        pack(number, at: now, outgoing)
      }
      guard tells, !gone.contains(number), let due = known.dueState else { continue }
      if due <= now || isFlushing && known.isNew { outgoing.announcements.append(.state(number)) }
    }
  }

  /// When one of them is to be looked at again.
  func next(after now: Int64, tells: Bool) -> Int64 {
    var next = Int64.max
    for (number, known) in series {
      if let since = known.waitingSince { next = min(next, since + options.batchInterval) }
      if let rest = rests[number], rest > now { next = min(next, rest) }
      if tells, let due = known.dueState, due > now { next = min(next, due) }
    }
    return next
  }

  /// A new connection knows nothing of them.
  mutating func forgetTold() {
    for number in series.keys { series[number]?.forgetTold() }
    isListOutdated = false
  }

  /// A state was sent.
  mutating func noteState(of number: Int, at now: Int64) {
    let options = options
    series[number]?.noteState(at: now, options)
    let hasRows = series[number]?.hasRows ?? false
    rests[number] = now + (hasRows ? options.batchInterval : options.stateInterval)
  }

  /// Numbers for further blocks of a series.
  mutating func takeNumbers(_ count: UInt32, of number: Int) -> UInt32 {
    series[number]?.takeNumbers(count) ?? 0
  }

  /// What is published.
  var list: DeviceMessage {
    var list = DeviceMessage(
      device: facts.device, session: facts.session, boot: facts.boot, sent: facts.clock.now)
    list.allow = options.allow.categories.map(\.rawValue).sorted()
    list.leftOut = leftOut.map { $0.0 + ": " + ($0.1.text ?? "") }
    for number in present {
      guard let known = series[number] else { continue }
      if known.isStream {
        list.streams.append(known.instance)
      } else {
        list.sources.append(
          DeviceMessage.Listed(
            kind: known.kind, instance: known.instance, label: known.facts.label,
            availability: known.facts.availability))
      }
    }
    return list
  }
}
