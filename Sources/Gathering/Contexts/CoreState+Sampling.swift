import Machine

extension CoreState {
  /// Takes a reading over into the producer's values and builds the update of each session due.
  ///
  /// The caller then posts a delivery for every session of the answer.
  mutating func absorb(
    _ reading: Reading, by producer: Int, scope: ReadRequest.Scope, due: Due
  ) -> [Delivery] {
    guard !isClosed, producers[producer] != nil else { return [] }
    let failure = takeOver(reading, by: producer, scope: scope)
    switch due {
    case .asked(let session):
      return enqueue(session, hasNews: true)
    case .scheduled(let sessions):
      return sessions.flatMap { number in
        guard self.sessions[number]?.phase == .updating else { return [Delivery]() }
        return enqueue(number, hasNews: true, failure: failure)
      }
    }
  }

  /// The failure of a reading in which nothing that changes could be read (sources L9), or nil.
  private mutating func takeOver(
    _ reading: Reading, by producer: Int, scope: ReadRequest.Scope
  ) -> SourceError? {
    let allowance = allowance
    return producers[producer]?.takeOver(reading, scope: scope, allowance: allowance) ?? nil
  }

  /// Queues an update for a session: all values, each marked new or not.
  mutating func enqueue(
    _ session: UInt32, hasNews: Bool, failure: SourceError? = nil
  ) -> [Delivery] {
    guard let producer = sessions[session]?.producer, let state = producers[producer] else {
      return []
    }
    let reading = state.lastReading
    let samples = state.samples
    let spans = state.kind.spans
    return sessions[session]?.enqueue(
      samples, spans: hasNews ? spans : [], reading: reading, failure: failure) ?? []
  }

  /// Queues an update in which every value is absent for one reason (sources L10, L11).
  mutating func enqueueAbsence(_ session: UInt32, _ availability: Availability, at now: Instant)
    -> [Delivery]
  {
    let outcome = Outcome.absent(for: availability)
    return sessions[session]?.enqueueAll(outcome, at: now) ?? []
  }
}

/// Who gets an update of a reading.
enum Due: Sendable {
  /// Updating sessions whose schedule says so; a failed reading counts against them (sources L9).
  case scheduled([UInt32])
  /// One session, whatever its state, because it asked.
  case asked(UInt32)
}

/// What is to be delivered to one session: its outbox up to a number.
struct Delivery: Sendable {
  let session: UInt32
  let serial: UInt64
}

extension ProducerState {
  fileprivate mutating func takeOver(
    _ reading: Reading, scope: ReadRequest.Scope, allowance: Allowance
  ) -> SourceError? {
    var firstFailure: Absence?
    var isAnyUsable = false
    for index in samples.indices where index < reading.outcomes.count {
      let property = properties[index]
      if scope == .changing && property.mode == .static { continue }
      let outcome =
        allowance.permits(property.category)
        ? reading.outcomes[index] : .withheld(property.category)
      if !samples[index].take(outcome, mode: property.mode, at: reading.instant) { refused += 1 }
      guard property.mode != .static else { continue }
      switch outcome.status {
      case .failed: if firstFailure == nil { firstFailure = outcome.absence }
      case .ok, .stale, .noData: isAnyUsable = true
      case .permission, .unsupported: break
      }
    }
    if !kind.spans.isEmpty { lastReading = reading }
    guard !isAnyUsable, let firstFailure else { return nil }
    return .unavailable(
      Availability(
        .failed, backend: instance.availability.backend, detail: firstFailure.reason,
        errno: firstFailure.errno, remedy: firstFailure.remedy))
  }
}

extension Outcome {
  /// A personal value that was not asked for (sources P1).
  static func withheld(_ category: PrivacyCategory?) -> Outcome {
    .permission("withheld", remedy: category?.remedy ?? "")
  }

  /// Why no value comes from an instance in a state that has none.
  static func absent(for availability: Availability) -> Outcome {
    switch availability.group {
    case .permissionDenied, .requiresPermissionsPrompt, .restricted:
      .permission(availability.reason, errno: availability.errno, remedy: availability.remedy)
    default:
      .noData(availability.reason, errno: availability.errno, remedy: availability.remedy)
    }
  }
}

extension SessionState {
  /// Builds this session's update from the producer's values and queues it.
  mutating func enqueue(
    _ samples: [Sample], spans: [SpanRule], reading: Reading?, failure: SourceError?
  ) -> [Delivery] {
    var update = samples
    if let reading {
      carrySpans(into: &update, spans: spans, reading: reading)
    }
    var deliveries = queue(update)
    guard phase == .updating, let reading = failure else {
      strikes = 0
      return deliveries
    }
    strikes += 1
    if strikes >= 3 {
      endRunKeepingOutbox()
      deliveries.append(tell(.stopped(reading)))
    }
    return deliveries
  }

  /// Replaces every value by one outcome and queues the update.
  mutating func enqueueAll(_ outcome: Outcome, at now: Instant) -> [Delivery] {
    previous = nil
    var update = latest ?? values
    for index in update.indices {
      _ = update[index].take(outcome, mode: .onChange, at: now)
    }
    return queue(update)
  }

  /// Queues an event for the listeners of this moment (sources L17).
  mutating func tell(_ what: SourceEvent.What) -> Delivery {
    let event = SourceEvent(id: id, what: what)
    let serial = append(.event(event, eventListeners))
    return Delivery(session: number, serial: serial)
  }

  /// Values over time belong to the session: from its previous reading to this one (sources I8).
  private mutating func carrySpans(
    into update: inout [Sample], spans: [SpanRule], reading: Reading
  ) {
    for span in kind.spans {
      let index = span.property
      guard index < update.count, !reading.scripted.contains(index) else { continue }
      guard !spans.isEmpty else {
        if let latest { update[index] = latest[index] }
        continue
      }
      let outcome: Outcome? =
        if let previous, previous.lineage == reading.lineage {
          span.compute(previous, reading)
        } else {
          span.compute(reading, reading).map { $0.status == .ok ? .needsTwoReadings : $0 }
        }
      guard let outcome else { continue }
      var sample = latest?[index] ?? .notRead
      _ = sample.take(outcome, mode: properties[index].mode, at: reading.instant)
      update[index] = sample
    }
    if !spans.isEmpty { previous = reading }
  }

  /// Marks what is new, merges an update that was not delivered, and queues this one.
  private mutating func queue(_ samples: [Sample]) -> [Delivery] {
    var update = samples
    for index in update.indices {
      update[index].flags.remove([.isNew, .gap])
      guard let before = latest?[index] else {
        update[index].flags.insert(.isNew)
        continue
      }
      if before.sequence != update[index].sequence || before.status != update[index].status {
        update[index].flags.insert(.isNew)
      }
    }
    if let lost = takePendingUpdate() {
      dropped += 1
      for index in update.indices where lost[index].flags.contains(.isNew) {
        update[index].flags.insert([.isNew, .gap])
      }
    }
    latest = update
    if let time = update.lazy.map(\.time).max() { times.append(time) }
    for tap in taps { tap.store(update, from: number) }
    guard !listeners.isEmpty else {
      values = update
      return []
    }
    return [Delivery(session: number, serial: append(.update(update)))]
  }

  /// Ends the run by failure: what was gathered is still delivered, before the event.
  mutating func endRunKeepingOutbox() {
    phase = .idle
    grid = nil
    strikes = 0
    previous = nil
    times = UpdateTimes()
  }
}
