import CGatheredKit
import Ground

/// A delivery to one session: its outbox up to a number.
struct SessionDelivery: Sendable {
  let session: SessionState
  let serial: UInt64
}

extension SessionState {
  /// Builds this session's update from the producer's values and queues it; the delivery of all
  /// that waits by then, if any of it is new.
  func enqueue(_ producer: ProducerState, isAsked: Bool, at now: Instant) -> SessionDelivery? {
    let waits = isAsked ? !hasNoListeners : awaitsLoop
    let isFresh = makeUpdate(of: producer, at: now)
    let delivery = queueLatest(waits: waits)
    return review(producer, isFresh: isFresh, isAsked: isAsked) ?? delivery
  }

  /// Takes the producer's values over as this session's latest update; whether they are of a
  /// reading it has not seen.
  func makeUpdate(of producer: ProducerState, at now: Instant) -> Bool {
    let isFresh = seenReading != producer.readings
    seenReading = producer.readings
    let isOwn = producer.mayAdapt && isPersonal
    let isAsRead = producer.spans.isEmpty && !isOwn
    let continued = producer.spans.isEmpty || isOwn ? nil : latest
    let news =
      isAsRead && producer.sessions.count == 1 ? producer.taken.news(since: shownReading) : nil
    if news != nil { producer.nameSource(number) }
    let update = writable(like: producer.newest, continuing: continued)
    if !producer.spans.isEmpty { carrySpans(into: update, of: producer, isFresh, at: now) }
    if isOwn {
      adapt(update, after: latest, isFresh: isFresh, basis: producer.basis, at: now)
    }
    // Rows dropped before its run, or before its refresh, were not lost to it.
    if phase == .updating && !awaitsRefresh { dropped += producer.refused &- seenRefusals }
    seenRefusals = producer.refused
    awaitsRefresh = false
    mark(update, news: news)
    if isAsRead { shownReading = producer.taken.number }
    times.append(now.boot)
    return isFresh
  }

  /// The consequences of a reading for a session that updates: it may end.
  func review(
    _ producer: ProducerState, isFresh: Bool, isAsked: Bool
  ) -> SessionDelivery? {
    guard phase == .updating else { return nil }
    if let failure = producer.failure {
      // A requested reading changes no count; a repeated one has been counted already.
      if isFresh && !isAsked { strikes += 1 }
      guard strikes >= 3 else { return nil }
      endRunKeepingOutbox()
      return tell(.stopped(failure))
    }
    guard isFresh else { return nil }
    strikes = 0
    guard producer.hasOneShot, producer.hasOneShotValue else { return nil }
    endRunKeepingOutbox()
    return tell(.stopped(nil))
  }

  /// Queues an update of a session that no instance has appeared for (sources N5).
  func enqueueUnbound(_ outcome: Outcome, at now: Instant) -> SessionDelivery? {
    let update = writable(like: latest)
    let isKnown = facts.settings.isEmpty && update.renewAbsence(outcome, at: now)
    for index in 0..<update.count where !isKnown {
      if let setting = facts.settings[index] {
        _ = update.take(.ok(setting), at: index, mode: properties[index].mode, instant: now)
      } else if update.take(outcome, at: index, mode: .onChange, instant: now) {
        // Sequences count the values of an instance, and there is none.
        update.rows[index].sequence = 0
      }
    }
    mark(update, news: nil)
    times.append(now.boot)
    return queueLatest(waits: !hasNoListeners)
  }

  /// Queues an event for the listeners of this moment (sources L17).
  func tell(_ what: SourceEvent.What) -> SessionDelivery {
    let event = SourceEvent(id: id, what: what)
    let serial = outbox.append(.event(event, eventListeners))
    return SessionDelivery(session: self, serial: serial)
  }

  /// A block of its own with the rows of another, for changes like those made in a former one.
  func writable(like block: Block, continuing former: Block? = nil) -> Block {
    guard isKnownUniquelyReferenced(&spare), let kept = spare.take(), kept.count == block.count
    else { return block.copied() }
    if let former { kept.copy(block, continuing: former) } else { kept.copy(block) }
    return kept
  }

  /// Values over time belong to the session: from its previous reading to this one (sources I8).
  private func carrySpans(
    into update: Block, of producer: ProducerState, _ isFresh: Bool, at now: Instant
  ) {
    let (reading, previous, latest) = (producer.lastReading, previous, latest)
    let instant = reading?.instant ?? now
    for place in producer.spans.indices {
      producer.spans.borrow(place) { span in
        let index = span.property
        guard index < update.count else { return }
        guard isFresh else { return update.copyRow(index, of: latest, to: index) }
        let result = reading.map { self.result(of: span, from: previous, to: $0, producer) }
        switch result ?? .kept {
        case .number(let number):
          let isContinuous = producer.traits[index].contains(.continuous)
          if !update.take(
            PlainNumber(number), at: index, continuing: latest, isContinuous: isContinuous,
            instant: instant)
          {
            update.copyRow(index, of: latest, to: index)
          }
        case .known(let known):
          if update.takeKnown(known, at: index, continuing: latest, instant: instant) { return }
          carry(known.outcome, of: index, into: update, after: latest, at: instant)
        case .outcome(let outcome):
          carry(outcome, of: index, into: update, after: latest, at: instant)
        case .kept:
          let outcome = Outcome(producer.newest[index])
          carry(outcome, of: index, into: update, after: latest, at: instant)
        }
      }
    }
    if isFresh { self.previous = reading }
  }

  private func carry(
    _ outcome: Outcome, of index: Int, into update: Block, after latest: Block, at instant: Instant
  ) {
    withUnsafePointer(to: outcome) { outcome in
      if update.takeKnown(outcome, at: index, continuing: latest, instant: instant) { return }
      update.copyRow(index, of: latest, to: index)
      _ = update.take(outcome, at: index, mode: properties[index].mode, instant: instant)
    }
  }

  private func result(
    of span: SpanRule, from previous: SpanBasis?, to reading: SpanBasis, _ producer: ProducerState
  ) -> SpanRule.Span {
    if !producer.scripted.isEmpty, producer.scripted.contains(span.property) { return .kept }
    if let previous, previous.lineage == reading.lineage {
      return span.compute(previous, reading)
    }
    let first = span.compute(reading, reading)
    guard let outcome = first.outcome else { return .kept }
    // Where counters came, only the span is missing; otherwise the reason is another.
    let isFirstOfTwo =
      outcome.status == .ok || (outcome.status == .noData && !reading.counters.isEmpty)
    return isFirstOfTwo ? .outcome(.needsTwoReadings) : first
  }

  /// Marks what is new in an update and makes it the latest. Where that is known, a bit a row, the
  /// rows are those of an instance, which mark nothing and name this session already.
  private func mark(_ update: consuming Block, news: UInt64?) {
    if var left = news {
      while left != 0 {
        update.rows[left.trailingZeroBitCount].flags |= SampleFlags.isNew.rawValue
        left &= left - 1
      }
    } else {
      compare(update)
    }
    let lost = outbox.takeUpdate()
    if !taps.isEmpty {
      // A reader receives updates that the loop has not delivered yet.
      let stored = lost == nil ? update : update.copied()
      for tap in taps { tap.store(stored, from: number) }
    }
    if let lost { merge(lost, into: update) }
    spare = exchange(&latest, with: update)
    if hasNoListeners { values = latest }
  }

  /// Marks what differs from the latest update, and names this session as the source.
  private func compare(_ update: Block) {
    let (new, gap) = (SampleFlags.isNew.rawValue, SampleFlags.gap.rawValue)
    let (rows, before) = (update.rows, latest.rows)
    for index in 0..<update.count {
      let isNews =
        before[index].sequence != rows[index].sequence || before[index].status != rows[index].status
      // What is new says by itself whether something before it was lost.
      rows[index].flags = isNews ? rows[index].flags | new : rows[index].flags & ~(new | gap)
      rows[index].source = number
    }
  }

  /// An update was lost before it was delivered: what was new in it is new still (sources L18).
  private func merge(_ lost: Block, into update: Block) {
    let isMissed = !hasNoListeners
    if isMissed { dropped += 1 }
    let flags: SampleFlags = isMissed ? [.isNew, .gap] : .isNew
    for index in 0..<update.count where lost.rows[index].flags & SampleFlags.isNew.rawValue != 0 {
      update.rows[index].flags |= flags.rawValue
    }
  }

  /// Queues the latest update.
  private func queueLatest(waits: Bool) -> SessionDelivery? {
    guard waits else { return nil }
    return SessionDelivery(session: self, serial: outbox.append(.update(latest)))
  }

  /// Whether an update may have listeners when the loop delivers it: those of that moment receive
  /// it.
  var awaitsLoop: Bool { !hasNoListeners || (isHostMode && taps.isEmpty) }
}

extension Outcome {
  /// The content of a sample, for a repeated update.
  init(_ sample: Sample) {
    self.init(
      value: sample.value, status: sample.status,
      isLowAccuracy: sample.flags.contains(.lowAccuracy), absence: sample.absence)
  }
}
