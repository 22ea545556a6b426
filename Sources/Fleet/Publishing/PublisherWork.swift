import Gathering
import Ground
import Machine
import Recording
import Values

/// The work of a publisher, on the thread of its connection.
final class PublisherWork: BrokerUser {
  /// Where a connection is in its beginning (fleet F12, F16, F17).
  private enum Birth: Equatable {
    /// There is no connection.
    case none
    /// The own `online` is looked at by another id; waited for until a moment.
    case looking(until: Int64)
    /// The own `online` was asked for, by this request.
    case asked(Int32)
    /// What it says is waited for until a moment.
    case listening(until: Int64)
    case done
  }

  private let publisher: Publisher
  let facts: PublisherFacts
  var discovery: EntityDiscovery?
  private var birth = Birth.none
  var table: SeriesTable
  let outgoing: Outgoing
  /// When the list may be sent again, when `online` is said again, and when a false death may be
  /// answered again.
  private var listDue = Int64.min
  private var pulseDue = Int64.max
  private var denialDue = Int64.min
  /// Why the broker is out of reach, while it is.
  private var failure: BrokerFailure?
  /// Callers that wait for what was taken up to a ticket: until all up to a serial has arrived,
  /// which is known once all that was to be told is on its way.
  private var waiting: (ticket: UInt64, serial: UInt64?)?
  /// What was taken out of the queue, and how many items of that are done.
  private var backlog: (batch: RecorderQueue.Batch, done: Int)?
  /// How many items are taken at a time.
  private static let portion = 32
  private var isSuperseded = false
  private var done: UInt64 = 0
  private var isLast = false
  private var saidFarewell = false
  /// When what the spool holds may be sent again, and until when a farewell may take.
  var lateDue = Int64.min
  private var farewellBy: Int64?

  init(_ publisher: Publisher) {
    self.publisher = publisher
    facts = publisher.facts
    discovery = EntityDiscovery(facts)
    table = SeriesTable(facts)
    outgoing = Outgoing(bound: facts.options.batchBytes)
    outgoing.spool = publisher.takeFolder().map {
      Spool($0, session: facts.session, clock: facts.clock)
    }
  }

  private var now: Int64 { Monitor<Void>.moment(after: 0) }
  private var online: String { facts.topic(.online) }

  // MARK: The connection

  func connected(_ link: BrokerLink) {
    let status = link.isLook ? nil : discovery?.status
    let request = try? link.subscribe([online] + (status.map { [$0] } ?? []))
    if link.isLook {
      birth = .looking(until: now + 2_000_000_000)
      return
    }
    outgoing.counts.connections += 1
    failure = nil
    outgoing.announcements.removeAll()
    birth = request.map(Birth.asked) ?? .none
  }

  func subscribed(_ request: Int32, failure: BrokerFailure?, on link: BrokerLink) {
    // What is retained follows at once.
    if link.isLook {
      birth = .looking(until: now + 250_000_000)
    } else if birth == .asked(request) {
      // A thousand machines do not come back in one second.
      let isFirst = outgoing.counts.connections == 1
      birth = .listening(until: now + (isFirst ? 0 : .random(in: 500_000_000...5_000_000_000)))
    }
  }

  func received(
    _ topic: String, _ payload: UnsafeRawBufferPointer, isRetained: Bool, on link: BrokerLink
  ) {
    if topic == discovery?.status, birth == .done { discovery?.take(status: payload, at: now) }
    guard topic == online, let told = try? OnlineMessage(payload) else { return }
    let isOther = told.session != facts.session
    if isOther, told.isOnline, (told.since, told.session) > (facts.since, facts.session) {
      // The later one stays.
      return giveWay()
    }
    if link.isLook { return link.endLook() }
    if !told.isOnline, birth == .done, !saidFarewell, now >= denialDue {
      denialDue = now + 5_000_000_000
      outgoing.announcements.append(.online)
    }
  }

  func acknowledged(_ message: Int32, failure: BrokerFailure?, on link: BrokerLink) {
    let entry = outgoing.noteArrival(of: message, isRefused: failure != nil)
    guard let entry, let failure else { return }
    if failure.kind == .tooLarge, outgoing.shrink(entry, &table) { return }
    lose(entry)
  }

  func disconnected(_ failure: BrokerFailure) {
    if failure.kind == .takenOver { return giveWay() }
    self.failure = failure
    birth = .none
    let isExplained = failure.kind != .lost && failure.kind != .tooLarge
    for entry in outgoing.noteEnd(isExplained: isExplained) { lose(entry) }
  }

  private func giveWay() {
    isSuperseded = true
    endSpool()
    publisher.giveWay()
    report(isOver: true, failure: publisher.superseded)
  }

  func lose(_ entry: RowsQueue.Entry) {
    outgoing.note(lossOf: entry.message.rowCount)
    outgoing.settle(entry)
    table.lose(entry.message.rowCount, of: entry.facts.origin)
  }

  // MARK: A turn

  func work(_ link: BrokerLink?) -> Int64? {
    if isSuperseded { return nil }
    let now = now
    if case .looking(let moment) = birth, now >= moment { link?.endLook() }
    let link = link?.isLook == true ? nil : link
    let isFlushing = take(at: now)
    begin(at: now)
    table.plan(at: now, isFlushing: isFlushing, tells: birth == .done, outgoing)
    // Before it is offered to the broker.
    outgoing.spool?.write(mustSync: isFlushing)
    announceWhatIsDue(at: now, isFlushing: isFlushing)
    if let link, birth == .done {
      send(on: link, at: now)
      if outgoing.announcements.isEmpty { sendLate(on: link, at: now) }
    }
    noteLosses()
    // Before callers that wait go on.
    publisher.report(outgoing.counts)
    finish(link)
    return next(after: now)
  }

  /// Takes what waits in the queue, some at a time: what has become of that is sent meanwhile.
  /// Whether callers want it sent at once.
  private func take(at now: Int64) -> Bool {
    let (batch, start) = backlog ?? (publisher.queue.takeNow(letting: table.quiet(at: now)), 0)
    let end = min(start + Self.portion, batch.items.count)
    table.take(start..<end, of: batch, publisher.takeChanges(), at: now, outgoing)
    backlog = end < batch.items.count ? (batch, end) : nil
    if backlog != nil { return false }
    if batch.isLast { isLast = true }
    guard batch.isAsked || batch.isLast, batch.ticket > done || batch.isLast else { return false }
    waiting = (batch.ticket, nil)
    return true
  }

  /// Tells all that there is, once the connection may.
  private func begin(at now: Int64) {
    guard case .listening(let moment) = birth, now >= moment else { return }
    (birth, outgoing.isOpen) = (.done, true)
    table.forgetTold()
    outgoing.announcements.removeAll()
    outgoing.announcements.append(.online)
    outgoing.announcements.append(.device)
    announceSources()
    announceDiscovery()
    pulseDue = pulse(after: now)
    listDue = now + 1_000_000_000
  }

  private func pulse(after now: Int64) -> Int64 {
    now + Int64(Double(facts.options.heartbeat) * .random(in: 0.9...1.1))
  }

  private func announceWhatIsDue(at now: Int64, isFlushing: Bool) {
    guard birth == .done else { return }
    if now >= pulseDue {
      outgoing.announcements.append(.online)
      pulseDue = pulse(after: now)
    }
    if table.isListOutdated, now >= listDue || isFlushing {
      table.isListOutdated = false
      listDue = now + 1_000_000_000
      outgoing.announcements.append(.device)
      announceDiscoveryNews()
    }
    if let due = discovery?.due, now >= due {
      announceDiscovery()
      announceSources()
    }
  }

  /// When there is something to do again, of itself.
  private func next(after now: Int64) -> Int64? {
    if backlog != nil { return now }
    var next = table.next(after: now, tells: birth == .done)
    if let spool = outgoing.spool { next = min(next, max(now, spool.due)) }
    if birth == .done, lateDue > now { next = min(next, lateDue) }
    if let farewellBy { next = min(next, farewellBy) }
    switch birth {
    case .looking(let moment), .listening(let moment): next = min(next, max(moment, now))
    case .done:
      next = min(next, pulseDue)
      if table.isListOutdated { next = min(next, listDue) }
      next = min(next, discovery?.due ?? .max)
    case .none, .asked: break
    }
    return next == .max ? nil : next
  }

  // MARK: Sending

  private func send(on link: BrokerLink, at now: Int64) {
    // States overtake rows.
    while let item = outgoing.announcements.first {
      guard announce(item, on: link, at: now) else { return }
      outgoing.announcements.removeFirst()
    }
    while let entry = outgoing.rows.first {
      let most = link.limits.maximumPacketSize
      if outgoing.isTooLong(entry, packetLimit: most) {
        _ = outgoing.takeRows()
        if !outgoing.shorten(entry, packetLimit: most, &table) { lose(entry) }
        continue
      }
      guard let series = table[entry.series], link.hasRoom(for: entry.message.size) else { return }
      let message = facts.rows(entry, series.subject(.rows))
      guard outgoing.send(message, rows: entry, on: link) else { return }
      _ = outgoing.takeRows()
    }
  }

  // MARK: The end

  private func finish(_ link: BrokerLink?) {
    if waiting?.serial == nil, birth == .done, outgoing.announcements.isEmpty {
      waiting?.serial = outgoing.lastSerial
    }
    // At the end without a broker nothing but rows is waited for: states are of the present.
    let serial = waiting?.serial ?? (isLast && link == nil ? outgoing.lastSerial : nil)
    let hasArrived = serial.map(outgoing.hasArrived) ?? false
    if let waiting, hasArrived || outgoing.isKept { (done, self.waiting) = (waiting.ticket, nil) }
    let isOver = isLast && waiting == nil && saysFarewell(link)
    // Before callers that wait for the end go on.
    if isOver {
      endSpool()
      publisher.end()
    }
    report(isOver: isOver, failure: nil)
  }

  private func report(isOver: Bool, failure: SourceError?) {
    var written = RecorderStatistics()
    (written.rows, written.lost) = (outgoing.counts.rowsSent, outgoing.lost)
    let why = self.failure?.reason ?? "the broker has not taken everything in time"
    publisher.queue.report(
      done: failure == nil ? done : .max, isOver: isOver,
      held: (outgoing.spool?.held ?? 0) + (backlog?.batch.weight ?? 0), written: written,
      failure: failure, lateness: "\(why); rows wait in memory")
  }

  /// Says that the machine leaves; whether that has arrived, or there is no broker to tell.
  private func saysFarewell(_ link: BrokerLink?) -> Bool {
    guard let link, birth == .done else { return true }
    if saidFarewell { return outgoing.isSettled || now >= farewellBy ?? .max }
    saidFarewell = outgoing.send(facts.online(false), on: link)
    // What does not arrive is in the spool.
    if outgoing.spool != nil { farewellBy = now + 3_000_000_000 }
    return false
  }
}
