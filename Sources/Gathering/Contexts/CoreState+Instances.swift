import Machine

/// What is to be done, in order, after a change of lists, availability or allowance.
enum FollowUp: Sendable {
  case deliver(Delivery)
  case announce(SourceEvent, [Listener])
  /// A waiting session has got its permission.
  case resume(session: UInt32, producer: Int)
  /// An updating session's instance is back.
  case claimAgain(session: UInt32, producer: Int)
  case letGo(ReaderBox)
  case membersChanged(producer: Int, ReaderBox)
  /// A session's run ended or began: timers and watches follow.
  case settled(session: UInt32)
}

extension CoreState {
  /// Takes a new list over: removals, then additions, each in list order, then what they mean for
  /// sessions (sources H2, L10).
  mutating func apply(_ found: Discovery, to kind: Int, at now: Instant) -> [FollowUp] {
    guard !isClosed else { return [] }
    let before = kinds[kind].discovery
    kinds[kind].discovery = found
    var followUps: [FollowUp] = []
    let oldNames = before?.instances.map(\.name) ?? []
    let newNames = found.instances.map(\.name)
    let known = Set(oldNames)
    let present = Set(newNames)
    if before != nil {
      let hearers = watchers.filter { $0.kindIndex == nil || $0.kindIndex == kind }
        .map(\.listener)
      followUps += announcements(
        of: oldNames.filter { !present.contains($0) }, .removed, kind: kind, to: hearers)
      followUps += announcements(
        of: newNames.filter { !known.contains($0) }, .added, kind: kind, to: hearers)
    }
    for (name, number) in kinds[kind].producers.sorted(by: { $0.value < $1.value }) {
      producers[number]?.isPresent = present.contains(name)
      if let instance = found.instances.first(where: { $0.name == name }) {
        producers[number]?.instance = instance
        producers[number]?.wasSeen = true
      }
    }
    bindUnbound(of: kind)
    let membersBefore = before?.instances.filter(\.isMember).map(\.name)
    if let membersBefore, membersBefore != found.instances.filter(\.isMember).map(\.name) {
      for number in kinds[kind].producers.values.sorted() {
        guard let producer = producers[number], producer.instance.isAggregate else { continue }
        followUps.append(.membersChanged(producer: number, producer.box))
      }
    }
    return followUps + reviewSessions(of: kind, at: now)
  }

  /// Compares what each session of a kind was told with what is so, and moves it accordingly.
  mutating func reviewSessions(of kind: Int?, at now: Instant) -> [FollowUp] {
    var followUps: [FollowUp] = []
    for number in sessions.keys.sorted() where kind == nil || sessions[number]?.kindIndex == kind {
      followUps += review(number, at: now)
    }
    return followUps
  }

  private mutating func review(_ number: UInt32, at now: Instant) -> [FollowUp] {
    guard let session = sessions[number] else { return [] }
    let before = session.toldAvailability
    let after = availability(of: number)
    guard before != after else { return [] }
    sessions[number]?.toldAvailability = after
    var followUps: [FollowUp] = []
    if let delivery = sessions[number]?.tell(.availabilityChanged(after)) {
      followUps.append(.deliver(delivery))
    }
    switch session.phase {
    case .idle: break
    case .waiting: followUps += moveWaiting(number, to: after)
    case .updating: followUps += moveUpdating(number, from: before, to: after, at: now)
    }
    return followUps
  }

  private mutating func moveWaiting(_ number: UInt32, to after: Availability) -> [FollowUp] {
    switch after.group {
    case .available:
      guard let producer = sessions[number]?.producer else { return [] }
      return [.resume(session: number, producer: producer)]
    case .permissionDenied, .restricted:
      sessions[number]?.endRun()
      let told = sessions[number]?.tell(.failedToStart(.unavailable(after)))
      return told.map { [.deliver($0), .settled(session: number)] } ?? []
    case .requiresPermissionsPrompt, .unavailable:
      return []
    }
  }

  private mutating func moveUpdating(
    _ number: UInt32, from before: Availability, to after: Availability, at now: Instant
  ) -> [FollowUp] {
    guard let producer = sessions[number]?.producer else { return [] }
    switch after.group {
    case .available:
      return before.group == .available ? [] : [.claimAgain(session: number, producer: producer)]
    case .unavailable:
      var followUps = enqueueAbsence(number, after, at: now).map(FollowUp.deliver)
      if let box = producers[producer]?.box { followUps.append(.letGo(box)) }
      return followUps
    case .permissionDenied, .restricted, .requiresPermissionsPrompt:
      var followUps = enqueueAbsence(number, after, at: now).map(FollowUp.deliver)
      sessions[number]?.endRunKeepingOutbox()
      if let told = sessions[number]?.tell(.stopped(.unavailable(after))) {
        followUps += [.deliver(told), .settled(session: number)]
      }
      return followUps
    }
  }

  /// A bare kind without instances binds to whichever appears first (sources N5).
  private mutating func bindUnbound(of kind: Int) {
    guard let name = defaultInstance(of: kind) else { return }
    for number in sessions.keys.sorted() {
      guard let session = sessions[number], session.kindIndex == kind, session.producer == nil
      else { continue }
      bind(number, to: producer(named: name, of: kind))
    }
  }

  private mutating func bind(_ number: UInt32, to producer: Int) {
    sessions[number]?.producer = producer
    producers[producer]?.sessions.append(number)
    guard let name = producers[producer]?.instance.name, let session = sessions[number] else {
      return
    }
    sessions[number]?.id = .instance(name, of: session.kind.kind)
  }

  // MARK: Questions

  /// The instance a bare kind means (sources N5).
  func defaultInstance(of kind: Int) -> String? {
    guard let list = kinds[kind].discovery?.instances else { return nil }
    if let aggregate = list.first(where: \.isAggregate) { return aggregate.name }
    return (list.first { $0.availability.group == .available } ?? list.first)?.name
  }

  /// The producer of an instance, made when first wanted and kept for the context's life, so that
  /// sequences never fall (sources V8).
  mutating func producer(named name: String, of kind: Int) -> Int {
    if let known = kinds[kind].producers[name] { return known }
    let found = kinds[kind].discovery?.instances.first { $0.name == name }
    let description = kinds[kind].kind
    let absent = Availability(
      .noHardware, detail: "there is no \(description.kind) \(name)")
    let number = nextProducer()
    var state = ProducerState(
      kindIndex: kind, kind: description,
      instance: found ?? Instance(name, availability: absent))
    state.isPresent = found != nil
    state.wasSeen = found != nil
    producers[number] = state
    kinds[kind].producers[name] = number
    return number
  }

  /// A session's availability: its instance's, or without one the kind's (sources A5).
  func availability(of number: UInt32) -> Availability {
    guard let session = sessions[number] else { return Availability(.disconnected) }
    if let producer = session.producer, let state = producers[producer] {
      return state.availability(allowing: allowance)
    }
    return kindAvailability(session.kindIndex)
  }

  /// A kind's availability: its default instance's or, without instances, why there are none.
  func kindAvailability(_ kind: Int) -> Availability {
    guard let discovery = kinds[kind].discovery else { return Availability(.noHardware) }
    guard let name = defaultInstance(of: kind),
      let instance = discovery.instances.first(where: { $0.name == name })
    else { return discovery.absence }
    return instance.availability
      .needing(kinds[kind].kind.category, allowing: allowance)
  }

  private func announcements(
    of names: [String], _ what: SourceEvent.What, kind: Int, to hearers: [Listener]
  ) -> [FollowUp] {
    let word = kinds[kind].kind.kind
    return names.map { .announce(SourceEvent(id: .instance($0, of: word), what: what), hearers) }
  }
}

extension SourceIdentifier {
  /// The id of an instance a kind listed; such names are never empty.
  static func instance(_ name: String, of kind: String) -> SourceIdentifier {
    SourceIdentifier(checkedKind: kind, instance: name, device: nil)
  }
}
