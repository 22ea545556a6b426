import Ground

/// Who gets an update of a reading.
enum Due: Sendable {
  /// Updating sessions that are due by their schedule; a failed reading counts against them
  /// (sources L9).
  case scheduled([UInt32])
  /// One session in any state, on request.
  case asked(UInt32)
}

extension CoreState {
  /// Stores a reading in the producer's values and builds the update of each session due.
  ///
  /// The caller then delivers the updates returned.
  mutating func absorb(
    _ reading: borrowing Reading, by producer: Int, scope: ReadRequest.Scope, due: Due
  ) -> [SessionDelivery] {
    guard !isClosed, producers[producer] != nil else { return [] }
    if let instance = producers[producer] { take(reading, of: instance, scope: scope) }
    return enqueue(due, at: reading.instant)
  }

  /// Stores a reading as the newest values of its instance.
  func take(
    _ reading: borrowing Reading, of instance: ProducerState, scope: ReadRequest.Scope
  ) {
    guard let identity = withholder(of: instance.kindIndex) else {
      return instance.takeOver(reading, scope: scope, allowance: allowance)
    }
    instance.takeOver(
      instance.shown(reading, by: identity), scope: scope, allowance: allowance)
  }

  /// Takes over that an instance could not be claimed anew: a reading that failed as a whole.
  mutating func absorb(
    _ error: SourceError, by producer: Int, due: Due, at now: Instant
  ) -> [SessionDelivery] {
    guard !isClosed, let state = producers[producer] else { return [] }
    var reading = Reading(properties: state.properties.count, at: now)
    let availability = error.availability
    // A daemon that stopped meanwhile is absent, which is no failure (sources L10); so is a device
    // that another machine does not show while it is out of reach.
    let isAbsent =
      availability.state == .serviceNotRunning || availability.state == .noHardware
      || state.isElsewhere && availability.state == .disconnected
    for index in reading.indices {
      reading[index] =
        isAbsent
        ? .absent(for: availability)
        : .failed(availability.reason, errno: availability.errno)
    }
    reading.scripted = Set(reading.indices)
    take(reading, of: state, scope: .changing)
    return enqueue(due, at: now)
  }

  private mutating func enqueue(_ due: Due, at now: Instant) -> [SessionDelivery] {
    switch due {
    case .asked(let session):
      return enqueue(session, isAsked: true, at: now).map { [$0] } ?? []
    case .scheduled(let numbers):
      return numbers.compactMap { number in
        sessions[number]?.phase == .updating ? enqueue(number, at: now) : nil
      }
    }
  }

  /// Queues an update for a session: all values, each marked new or not.
  mutating func enqueue(
    _ session: UInt32, isAsked: Bool = false, at now: Instant
  ) -> SessionDelivery? {
    guard let session = sessions[session], let instance = session.instance else { return nil }
    return session.enqueue(instance, isAsked: isAsked, at: now)
  }

  /// Queues an update in which every value is absent for the reason the session's availability
  /// gives (sources L8, L10, L11).
  mutating func enqueueAbsence(of session: SessionState, at now: Instant) -> SessionDelivery? {
    if isClosed || session.isRemoved { return nil }
    let outcome = session.absence(for: availability(of: session))
    guard let producer = session.instance else {
      return session.enqueueUnbound(outcome, at: now)
    }
    if keepsValuesOfAbsent {
      producer.takeStaleness(outcome, allowance: allowance, at: now)
    } else {
      producer.takeAbsence(outcome, allowance: allowance, at: now)
    }
    return session.enqueue(producer, isAsked: true, at: now)
  }
}

extension ProducerState {
  /// The reading with withheld hardware addresses replaced by digests: reasons and places of
  /// readers may contain addresses.
  fileprivate func shown(
    _ reading: borrowing Reading, by identity: MachineIdentity
  ) -> Reading {
    var shown = copy reading
    for index in shown.indices where categories.indices.contains(index) {
      // A property with a category of its own is withheld by it.
      if categories[index] == nil { shown.withhold(index, by: identity) }
    }
    return shown
  }

  @_optimize(speed)
  func takeOver(
    _ reading: borrowing Reading, scope: ReadRequest.Scope, allowance: Allowance
  ) {
    if basisOfRows != nil { basisOfRows = nil }
    if !reading.finished.isEmpty { return takeOver(finished: reading.finished, allowance) }
    let isToStream = streamsBelow != nil && isToStream(allowing: allowance)
    let left: PropertyTraits = scope == .changing ? .static : []
    let isPlain = streamed.isEmpty && !isToStream
    let (block, traits, instant) = (newest, traits, reading.instant)
    if !isPlain { taken.forget() }
    var taken = taken
    let renewal = taken.begin(reading, rows: block.count, scope: scope)
    block.renew(renewal, at: instant)
    // In place: an outcome is large, and this runs for every property at every reading.
    reading.withContents { numbers, others in
      var next = 0
      while let index = renewal.rest(from: next, below: min(block.count, numbers.count)) {
        next = index &+ 1
        let (traits, number) = (traits[index], numbers[index])
        if !traits.isDisjoint(with: left) { continue }
        if !isPlain {
          if streamed.contains(index) { continue }
          // Values left to a stream are unchanged: its first samples are older than this reading.
          if isToStream && number.isNone && others[index] == .notRead { continue }
        }
        takeRow(index, number, others + index, allowance, at: instant, noting: &taken)
      }
    }
    if !isPlain { taken.forget() }
    self.taken = taken
    note(reading, allowance)
  }

  /// Takes a property of a reading over.
  @inline(__always)
  private func takeRow(
    _ index: Int, _ number: PlainNumber, _ other: UnsafePointer<Outcome>, _ allowance: Allowance,
    at instant: Instant, noting taken: inout TakenReading
  ) {
    let (block, traits, before) = (newest, traits[index], newest.sequence(at: index))
    let isContinuous = traits.contains(.continuous)
    var (isTaken, isDated, isCounting) = (false, true, isContinuous)
    if traits.contains(.personal), !allowance.permits(categories[index]) {
      isTaken = withUnsafePointer(to: withheld[index]) {
        block.takeKnown($0, at: index, instant: instant)
          || block.take($0, at: index, mode: modes[index], instant: instant)
      }
    } else if !number.isNone {
      isTaken = block.take(number, at: index, isContinuous: isContinuous, instant: instant)
    } else {
      isTaken =
        block.takeKnown(other, at: index, instant: instant)
        || !isContinuous && block.takeText(other, at: index, instant: instant)
        || block.take(other, at: index, mode: modes[index], instant: instant)
      isDated = other.pointee.stamp == nil
      isCounting = isContinuous && other.pointee.status.hasPayload
    }
    if !isTaken { refused += 1 }
    taken.note(
      index, isSettled: isTaken && isDated && !traits.contains(.personal),
      isCounting: isCounting, isNews: block.sequence(at: index) != before)
  }

  /// Stores the counters, the span inputs and the failure of a reading.
  private func note(_ reading: borrowing Reading, _ allowance: Allowance) {
    readings += 1
    if instance.longestGap != nil { readAt = reading.instant.boot }
    if mayAdapt { basis.take(reading) }
    if !spans.isEmpty {
      noteSpanBasis(of: reading)
    }
    if streamed.isEmpty, !hasNews(reading, allowance) {
      failure = failure(in: reading)
    } else if hasFailed {
      failure = nil
    }
  }

  /// Stores what spans need, in the memory of the reading before the last if that is free.
  private func noteSpanBasis(of reading: borrowing Reading) {
    let former = lastReading
    if isKnownUniquelyReferenced(&spareReading), let spare = spareReading {
      spare.take(reading)
      lastReading = spare
    } else {
      lastReading = SpanBasis(reading, inputs: spanInputs)
    }
    spareReading = former
    if !scripted.isEmpty || !reading.scripted.isEmpty { scripted = reading.scripted }
  }

  /// Whether a changing property could be read.
  ///
  /// Computed properties do not show the state of the backend, unless they failed as well.
  private func hasNews(_ reading: borrowing Reading, _ allowance: Allowance) -> Bool {
    for index in traits.indices where traits[index].isDisjoint(with: [.static, .computed]) {
      let status = reading.status(at: index)
      if status == .ok || status == .stale || status == .noData,
        allowance.permits(categories[index])
      {
        return true
      }
    }
    return false
  }

  /// The failure of a reading in which no changing property could be read (sources L9), or nil.
  ///
  /// Another machine that is out of reach is absent, which is no failure (sources L10).
  private func failure(in reading: borrowing Reading) -> SourceError? {
    var first: Absence?
    var isOutOfReach = isElsewhere
    for index in properties.indices where !traits[index].contains(.static) {
      guard reading.status(at: index) == .failed else { continue }
      let absence = reading.absence(at: index)
      if first == nil { first = absence }
      isOutOfReach = isOutOfReach && SystemText.unreachable.contains(absence?.errno ?? 0)
    }
    guard let first, !isOutOfReach else { return nil }
    let basis = SpanBasis(reading, inputs: spanInputs)
    if spans.contains(where: { $0.compute(basis, basis).outcome?.status == .ok }) { return nil }
    return .unavailable(
      Availability(
        .failed, backend: instance.availability.backend, detail: first.reason,
        errno: first.errno,
        remedy: first.remedy.isEmpty ? "look into the kernel's log" : first.remedy))
  }

  /// Replaces every value by one outcome; withheld values stay withheld (sources P1).
  func takeAbsence(_ outcome: Outcome, allowance: Allowance, at now: Instant) {
    forgetBasis()
    for index in 0..<newest.count {
      let category = categories[index]
      let isWithheld = outcome.status == .noData && !allowance.permits(category)
      _ = newest.take(
        isWithheld ? .withheld(category) : outcome, at: index, mode: .onChange, instant: now)
    }
    readings += 1
    lastReading = nil
    failure = nil
  }
}

extension Outcome {
  /// The outcome of a personal value whose category is not allowed (sources P1).
  static func withheld(_ category: PrivacyCategory?) -> Outcome {
    .permission("withheld", remedy: category?.remedy ?? "")
  }

  /// Why no value comes from an instance in a state that has none.
  public static func absent(for availability: Availability) -> Outcome {
    switch availability.group {
    case .permissionDenied, .requiresPermissionsPrompt, .restricted:
      .permission(availability.reason, errno: availability.errno, remedy: availability.remedy)
    default:
      .noData(availability.reason, errno: availability.errno, remedy: availability.remedy)
    }
  }
}

extension SourceError {
  /// The availability an error of a claim amounts to.
  var availability: Availability {
    if case .unavailable(let availability) = self { return availability }
    return Availability(.failed, detail: message, errno: errno, remedy: "try again")
  }
}
