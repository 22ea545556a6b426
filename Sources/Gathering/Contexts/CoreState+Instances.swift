import Ground
import Values

/// Which instances there are, and what sessions are bound to.
extension CoreState {
  /// A bare kind without instances binds to whichever appears first (sources N5).
  mutating func bindUnbound(of kind: Int) {
    guard let name = defaultInstance(of: kind) else { return }
    let unbound = sessions.values.filter { $0.kindIndex == kind && $0.producer == nil }
    for number in unbound.map(\.number).sorted() {
      bind(number, to: producer(named: name, of: kind))
    }
  }

  private mutating func bind(_ number: UInt32, to producer: Int) {
    guard let session = sessions[number], let state = producers[producer] else { return }
    session.bind(to: state, numbered: producer)
    session.adopt(state.properties)
    session.id = id(of: state.instance.name, of: session.kind)
    state.sessions.append(session)
  }

  /// Takes over those instances of a list that have changed; nil where one has no place in it.
  mutating func apply(
    _ changed: [Instance], to kind: Int, at now: Instant
  ) -> FollowUps? {
    var followUps = FollowUps()
    guard !isClosed else { return followUps }
    kinds[kind].listedAt = now.boot
    for instance in changed {
      guard kinds[kind].replace(instance) else { return nil }
      guard let number = kinds[kind].producers[ExactText(instance.name)] else { continue }
      followUps.rest += renewProducers(of: kind, from: [instance])
      if kinds[kind].producers[ExactText(instance.name)] != nil {
        producers[number]?.instance = instance
        producers[number]?.wasSeen = true
      }
      followUps.rest += reviewSessions(following: number, at: now)
    }
    if !changed.isEmpty { followUps.rest += listChange(of: kind) }
    return followUps
  }

  /// Instances that are listed with other properties than their producers have. One that was never
  /// seen takes its list over, with its sessions; for one that was, the name means another device
  /// now, and the sessions of the former have to be opened again (sources V1).
  mutating func renewProducers(of kind: Int, from found: [Instance]) -> [FollowUp] {
    var followUps: [FollowUp] = []
    for instance in found {
      let name = ExactText(instance.name)
      guard let number = kinds[kind].producers[name], let former = producers[number] else {
        continue
      }
      let list = instance.properties ?? former.kind.properties
      let isOther =
        former.wasSeen ? !former.properties.areLaidOut(as: list) : former.properties != list
      guard isOther else { continue }
      guard !former.wasSeen else {
        kinds[kind].producers[name] = nil
        former.isPresent = false
        former.absence = Availability(
          .disconnected, backend: former.instance.availability.backend,
          detail: "\(instance.nameAsFound) has other properties now", remedy: "open it again")
        continue
      }
      let state = newProducer(number, of: former.kind, at: kind, instance)
      state.replace(former)
      for session in state.sessions {
        session.bind(to: state, numbered: number)
        session.adopt(state.properties)
      }
      producers[number] = state
      followUps.append(.letGo(producer: number, former.box))
    }
    return followUps
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
    if let known = kinds[kind].producers[ExactText(name)] { return known }
    let found = kinds[kind].instance(named: name)
    let description = kinds[kind].kind
    let absent = Availability(
      .noHardware, detail: "there is no \(description.kind) \(name)")
    let number = nextProducer()
    let state = newProducer(
      number, of: description, at: kind, found ?? Instance(name, availability: absent))
    state.isPresent = found != nil
    state.wasSeen = found != nil
    producers[number] = state
    kinds[kind].producers[ExactText(name)] = number
    return number
  }

  /// A session's availability: its instance's, or without one the kind's (sources A5).
  func availability(of number: UInt32) -> Availability {
    sessions[number].map(availability(of:)) ?? Availability(.disconnected)
  }

  /// The same of a session itself.
  func availability(of session: SessionState) -> Availability {
    if session.isRemoved { return Availability(.disconnected) }
    let own = ownAvailability(of: session)
    return withholder(of: session.kindIndex).map(own.withheld) ?? own
  }

  private func ownAvailability(of session: SessionState) -> Availability {
    if let state = session.instance {
      let own = state.availability(allowing: allowance)
      // The condition reported by a stream applies to the sessions that follow it.
      if let condition = state.condition, session.phase == .updating, own.state == .available {
        return condition
      }
      return own
    }
    return ownAvailability(ofKind: session.kindIndex)
  }

  /// A kind's availability: its default instance's or, without instances, why there are none.
  func kindAvailability(_ kind: Int) -> Availability {
    let own = ownAvailability(ofKind: kind)
    return withholder(of: kind).map(own.withheld) ?? own
  }

  private func ownAvailability(ofKind kind: Int) -> Availability {
    guard let name = defaultInstance(of: kind),
      let instance = kinds[kind].discovery?.instances.first(where: { $0.name.isSpelt(name) })
    else { return kinds[kind].discovery?.absence ?? Availability(.noHardware) }
    return instance.availability
      .needing(kinds[kind].kind.category, allowing: allowance)
  }

  func watchers(of kind: Int, areOfLists: Bool) -> [Listener] {
    watchers.filter { watcher in
      watcher.isOfLists == areOfLists && (watcher.kindIndex == nil || watcher.kindIndex == kind)
    }.map(\.listener)
  }

  /// Notes that the list of a kind has changed, and notifies the watchers of lists.
  mutating func listChange(of kind: Int) -> [FollowUp] {
    kinds[kind].listNumber += 1
    let hearers = watchers(of: kind, areOfLists: true)
    if hearers.isEmpty { return [] }
    let event = SourceEvent(
      id: .kind(kinds[kind].kind.kind), what: .availabilityChanged(kindAvailability(kind)))
    return [.announce(event, hearers)]
  }

  func announcements(
    of names: [String], _ what: SourceEvent.What, kind: Int, to hearers: [Listener]
  ) -> [FollowUp] {
    let kind = kinds[kind].kind
    return names.map { .announce(SourceEvent(id: id(of: $0, of: kind), what: what), hearers) }
  }
}
