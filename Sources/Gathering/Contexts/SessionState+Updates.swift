import Ground

/// A delivery to one session: its outbox up to a number.
struct SessionDelivery: Sendable {
  let session: UInt32
  let serial: UInt64
}

extension SessionState {
  /// Builds this session's update from the producer's values and queues it.
  func enqueue(
    _ producer: ProducerState, isAsked: Bool, at now: Instant
  ) -> [SessionDelivery] {
    let isFresh = seenReading != producer.readings
    seenReading = producer.readings
    var update = producer.samples
    if !producer.spans.isEmpty { carrySpans(into: &update, of: producer, isFresh, at: now) }
    if isPersonal {
      adapt(&update, after: latest, isFresh: isFresh, basis: producer.basis, at: now)
    }
    // Rows dropped before its run, or before its refresh, were not lost to it.
    if phase == .updating && !awaitsRefresh { dropped += producer.refused &- seenRefusals }
    seenRefusals = producer.refused
    awaitsRefresh = false
    let waits = isAsked ? !listeners.isEmpty : awaitsLoop
    var deliveries = queue(update, at: now.boot, waits: waits)
    guard phase == .updating else { return deliveries }
    if let failure = producer.failure {
      // A requested reading changes no count; a repeated one has been counted already.
      if isFresh && !isAsked { strikes += 1 }
      if strikes >= 3 {
        endRunKeepingOutbox()
        deliveries.append(tell(.stopped(failure)))
      }
      return deliveries
    }
    guard isFresh else { return deliveries }
    strikes = 0
    if producer.hasOneShotValue {
      endRunKeepingOutbox()
      deliveries.append(tell(.stopped(nil)))
    }
    return deliveries
  }

  /// Queues an update of a session that no instance has appeared for (sources N5).
  func enqueueUnbound(_ outcome: Outcome, at now: Instant) -> [SessionDelivery] {
    var update = latest
    for index in update.indices {
      if let setting = facts.settings[index] {
        _ = update[index].take(.ok(setting), mode: properties[index].mode, at: now)
      } else if update[index].take(outcome, mode: .onChange, at: now) {
        // Sequences count the values of an instance, and there is none.
        update[index].sequence = 0
      }
    }
    return queue(update, at: now.boot, waits: !listeners.isEmpty)
  }

  /// Queues an event for the listeners of this moment (sources L17).
  func tell(_ what: SourceEvent.What) -> SessionDelivery {
    let event = SourceEvent(id: id, what: what)
    let serial = append(.event(event, eventListeners))
    return SessionDelivery(session: number, serial: serial)
  }

  /// Values over time belong to the session: from its previous reading to this one (sources I8).
  private func carrySpans(
    into update: inout [Sample], of producer: ProducerState, _ isFresh: Bool, at now: Instant
  ) {
    let reading = producer.lastReading
    for span in producer.spans where span.property < update.count {
      let index = span.property
      var sample = latest[index]
      if isFresh {
        let outcome =
          reading.flatMap { self.outcome(of: span, in: $0) } ?? Outcome(update[index])
        _ = sample.take(outcome, mode: properties[index].mode, at: reading?.instant ?? now)
      }
      update[index] = sample
    }
    if isFresh { previous = reading }
  }

  private func outcome(of span: SpanRule, in reading: Reading) -> Outcome? {
    if reading.scripted.contains(span.property) { return nil }
    if let previous, previous.lineage == reading.lineage {
      return span.compute(previous, reading)
    }
    guard let outcome = span.compute(reading, reading) else { return nil }
    // Where counters came, only the span is missing; otherwise the reason is another.
    let isFirstOfTwo =
      outcome.status == .ok || (outcome.status == .noData && !reading.counters.isEmpty)
    return isFirstOfTwo ? .needsTwoReadings : outcome
  }

  /// Marks new samples, merges the undelivered update, and queues this one.
  private func queue(
    _ samples: [Sample], at moment: Int64, waits: Bool
  ) -> [SessionDelivery] {
    var update = samples
    for index in update.indices {
      let isNews =
        latest[index].sequence != update[index].sequence
        || latest[index].status != update[index].status
      update[index].flags.remove([.isNew, .gap])
      if isNews { update[index].flags.insert(.isNew) }
    }
    // A reader receives updates that the loop has not delivered yet.
    for tap in taps { tap.store(update, from: number) }
    if let lost = takePendingUpdate() {
      let isMissed = !listeners.isEmpty
      if isMissed { dropped += 1 }
      for index in update.indices where lost[index].flags.contains(.isNew) {
        update[index].flags.insert(isMissed ? [.isNew, .gap] : .isNew)
      }
    }
    latest = update
    times.append(moment)
    if listeners.isEmpty { values = update }
    guard waits else { return [] }
    return [SessionDelivery(session: number, serial: append(.update(update)))]
  }

  /// Whether an update may have listeners when the loop delivers it: those of that moment receive
  /// it.
  var awaitsLoop: Bool { !listeners.isEmpty || (isHostMode && taps.isEmpty) }

  /// Drops an update that will not be delivered: newness is then relative to the one before.
  func forgetPendingUpdate() {
    if dropPendingUpdates() { latest = values }
  }
}

extension Outcome {
  /// The content of a sample, for a repeated update.
  init(_ sample: Sample) {
    self.init(
      value: sample.value, status: sample.status,
      isLowAccuracy: sample.flags.contains(.lowAccuracy), absence: sample.absence)
  }
}
