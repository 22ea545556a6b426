import Ground
import Values

/// The steps to carry out, in order, after a change of lists, availability or allowance.
enum FollowUp: Sendable {
  case deliver(SessionDelivery)
  case announce(SourceEvent, [Listener])
  /// A waiting session has got its permission.
  case resume(session: UInt32, producer: Int)
  /// An updating session's instance is back.
  case claimAgain(session: UInt32, producer: Int)
  case letGo(producer: Int, ReaderBox)
  /// An aggregate is to be made anew; with `isEvent` that is an event-driven update, too.
  case membersChanged(producer: Int, ReaderBox, isEvent: Bool)
  /// An instance is in another place of the machine: its reader is made anew, its stream ended.
  case moved(ReaderBox, (any SampleStream)?)
  /// A session's run ended or began: timers and watches follow.
  case settled(session: UInt32)
}

/// The consequences of new lists: all removals are reported first, then all additions, then the
/// changes of sessions (sources H2).
struct FollowUps: Sendable {
  var removals: [FollowUp] = []
  var additions: [FollowUp] = []
  var rest: [FollowUp] = []

  /// In the order they are done.
  var all: [FollowUp] { removals + additions + rest }

  static func += (left: inout FollowUps, right: FollowUps) {
    left.removals += right.removals
    left.additions += right.additions
    left.rest += right.rest
  }
}

extension CoreState {
  /// Takes a new list over (sources H2, L10).
  mutating func apply(_ found: Discovery, to kind: Int, at now: Instant) -> FollowUps {
    var followUps = FollowUps()
    guard !isClosed else { return followUps }
    let before = kinds[kind].discovery
    kinds[kind].listedAt = now.boot
    if let before, before == found {
      followUps.rest = applyAgain(found, to: kind, at: now)
      return followUps
    }
    kinds[kind].list(found)
    // Removed instances are still reported.
    if let identity = found.identity { kinds[kind].identity = identity }
    if let before {
      let oldNames = before.instances.map(\.name)
      let newNames = found.instances.map(\.name)
      let hearers = watchers(of: kind, areOfLists: false)
      let (known, present) = (Set(oldNames.map(ExactText.init)), Set(newNames.map(ExactText.init)))
      followUps.removals = announcements(
        of: oldNames.filter { !present.contains(ExactText($0)) }, .removed, kind: kind, to: hearers)
      followUps.additions = announcements(
        of: newNames.filter { !known.contains(ExactText($0)) }, .added, kind: kind, to: hearers)
    }
    followUps.rest += renewProducers(of: kind, from: found.instances)
    let moves = moved(of: kind, in: found, at: now)
    let wereThere = updateProducers(of: kind, from: found)
    followUps.rest += moves
    bindUnbound(of: kind)
    if let before, before.memberNames != found.memberNames {
      for number in kinds[kind].producers.values.sorted() {
        guard let producer = producers[number], producer.instance.isAggregate else { continue }
        // An instance that appears or disappears itself reports its refresh or its absence.
        let isEvent = wereThere.contains(number) && producer.isPresent
        followUps.rest.append(
          .membersChanged(producer: number, producer.box, isEvent: isEvent))
      }
    }
    followUps.rest += reviewSessions(of: kind, at: now)
    followUps.rest += listChange(of: kind)
    return followUps
  }

  /// Takes over a list that is as it was: news only for what was opened since.
  private mutating func applyAgain(
    _ known: Discovery, to kind: Int, at now: Instant
  ) -> [FollowUp] {
    let absence = known.serviceAbsence
    for number in kinds[kind].producers.values { producers[number]?.absence = absence }
    bindUnbound(of: kind)
    return reviewSessions(of: kind, at: now)
  }

  /// An instance removed and added again between two discoveries may be at another place now.
  private func moved(of kind: Int, in found: Discovery, at now: Instant) -> [FollowUp] {
    let paths = Dictionary(
      found.instances.map { (ExactText($0.name), $0.path) }, uniquingKeysWith: { first, _ in first }
    )
    return kinds[kind].producers.sorted { $0.value < $1.value }.flatMap { name, number in
      guard let producer = producers[number], producer.isPresent, let path = paths[name],
        path != producer.instance.path
      else { return [FollowUp]() }
      let old = producer.stream.stream
      producer.endStream()
      producer.takeAbsence(.noData("connected anew"), allowance: allowance, at: now)
      let updating = producer.sessions.filter { $0.phase == .updating }.map(\.number)
      return [.moved(producer.box, old)]
        + updating.map { .claimAgain(session: $0, producer: number) }
    }
  }

  /// Stores the list's data about each instance; returns the producers of instances that were
  /// present before.
  private mutating func updateProducers(of kind: Int, from found: Discovery) -> Set<Int> {
    var wereThere: Set<Int> = []
    let listed = Dictionary(
      found.instances.map { (ExactText($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    for (name, number) in kinds[kind].producers {
      if producers[number]?.isPresent == true { wereThere.insert(number) }
      producers[number]?.absence = found.serviceAbsence
      producers[number]?.isPresent = listed[name] != nil
      if let instance = listed[name] {
        producers[number]?.instance = instance
        producers[number]?.wasSeen = true
      }
    }
    return wereThere
  }

  /// Stores an instance's state besides its values.
  mutating func note(
    _ condition: Availability?, of producer: Int, at now: Instant
  ) -> [FollowUp] {
    guard !isClosed, let state = producers[producer], state.condition != condition else {
      return []
    }
    state.condition = condition
    return reviewSessions(of: state.kindIndex, at: now)
  }

  /// Compares the last reported state of each session of a kind with the present one, and changes
  /// it accordingly.
  mutating func reviewSessions(of kind: Int?, at now: Instant) -> [FollowUp] {
    var followUps: [FollowUp] = []
    var concerned: [UInt32] = []
    for session in sessions.values where kind == nil || session.kindIndex == kind {
      concerned.append(session.number)
    }
    for number in concerned.sorted() {
      followUps += review(number, at: now)
    }
    return followUps
  }

  /// The same for the sessions of one producer.
  mutating func reviewSessions(following producer: Int, at now: Instant) -> [FollowUp] {
    let numbers = producers[producer]?.sessions.map(\.number).sorted() ?? []
    return numbers.flatMap { review($0, at: now) }
  }

  private mutating func review(_ number: UInt32, at now: Instant) -> [FollowUp] {
    guard let session = sessions[number] else { return [] }
    let before = session.toldAvailability
    let after = availability(of: number)
    guard before.differs(from: after) else { return [] }
    let wasCondition = session.toldCondition == before
    session.toldAvailability = after
    session.toldCondition = session.producer.flatMap { producers[$0]?.condition }
    // A condition of a run ends with the run, and nothing is reported after a stop.
    if session.phase == .idle && wasCondition && after.state == .available { return [] }
    var followUps: [FollowUp] = []
    if let delivery = sessions[number]?.tell(.availabilityChanged(after)) {
      followUps.append(.deliver(delivery))
    }
    switch session.phase {
    case .idle: break
    case .waiting: followUps += moveWaiting(number, to: after)
    case .updating: followUps += moveUpdating(session, from: before, to: after, at: now)
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
      let delivery = sessions[number]?.tell(.failedToStart(.unavailable(after)))
      return delivery.map { [.deliver($0), .settled(session: number)] } ?? []
    case .requiresPermissionsPrompt, .unavailable:
      return []
    }
  }

  private mutating func moveUpdating(
    _ session: SessionState, from before: Availability, to after: Availability, at now: Instant
  ) -> [FollowUp] {
    guard let producer = session.producer else { return [] }
    let number = session.number
    switch after.group {
    case .available:
      return before.group == .available ? [] : [.claimAgain(session: number, producer: producer)]
    case .unavailable:
      // Failures on either side of an absence are not in a row.
      sessions[number]?.strikes = 0
      return [
        enqueueAbsence(of: session, at: now).map(FollowUp.deliver),
        producers[producer].map { .letGo(producer: producer, $0.box) },
      ].compactMap(\.self)
    case .permissionDenied, .restricted, .requiresPermissionsPrompt:
      let absence = enqueueAbsence(of: session, at: now).map(FollowUp.deliver)
      session.endRunKeepingOutbox()
      let end = FollowUp.deliver(session.tell(.stopped(.unavailable(after))))
      return [absence, end, .settled(session: number)].compactMap(\.self)
    }
  }

  // MARK: Allowance

  /// Stores a new allowance; nil if it is unchanged.
  mutating func allow(_ new: Allowance, at now: Instant) -> AllowanceChange? {
    let changed = allowance.categories.symmetricDifference(new.categories)
    guard !changed.isEmpty else { return nil }
    allowance = new
    concealWhatIsWithheld(at: now)
    if changed.contains(.mac) { withholdAddresses() }
    let touched = producers.keys.sorted().filter { number in
      guard let producer = producers[number] else { return false }
      let categories = producer.properties.compactMap(\.category) + producer.kind.permittedActions
      let bearsAddress = changed.contains(.mac) && kinds[producer.kindIndex].identity != nil
      return bearsAddress || categories.contains(where: changed.contains)
    }
    var lists: [FollowUp] = []
    for kind in kinds.indices where isKnown(kind) { lists += listChange(of: kind) }
    return AllowanceChange(
      followUps: reviewSessions(of: nil, at: now) + lists, touched: touched)
  }

  /// Removes payloads whose category is no longer allowed (sources P4).
  private mutating func concealWhatIsWithheld(at now: Instant) {
    for number in producers.keys {
      guard let producer = producers[number] else { continue }
      producer.forgetBasis()
      let hidden = producer.properties.indices.filter { index in
        !allowance.permits(producer.properties[index].category)
          || !allowance.permits(producer.kind.category)
      }
      for index in hidden where producer.newest.status(at: index).showsContent {
        let category = producer.properties[index].category ?? producer.kind.category
        _ = producer.newest.take(.withheld(category), at: index, mode: .onChange, instant: now)
      }
      for session in producer.sessions { session.conceal(hidden, as: producer.newest) }
    }
  }

  private func withholdAddresses() {
    for producer in producers.values {
      if let identity = withholder(of: producer.kindIndex) { producer.withhold(by: identity) }
    }
  }

  /// The updating sessions of an instance that can be read.
  func readers(of producer: Int) -> [UInt32] {
    guard let state = producers[producer], state.isUsable(allowing: allowance) else { return [] }
    return state.sessions.filter { $0.phase == .updating }.map(\.number)
  }
}

/// The consequences of a change of the allowance.
struct AllowanceChange: Sendable {
  let followUps: [FollowUp]
  /// The producers that have values of a category concerned.
  let touched: [Int]
}

extension Availability {
  /// Whether the difference is reported (sources 4).
  fileprivate func differs(from other: Availability) -> Bool {
    state != other.state || detail != other.detail || remedy != other.remedy
  }
}

extension Discovery {
  /// Why there are no instances, if that is because their daemon is away (sources H4).
  fileprivate var serviceAbsence: Availability? {
    instances.isEmpty && absence.state == .serviceNotRunning ? absence : nil
  }

  fileprivate var memberNames: [String] { instances.filter(\.isMember).map(\.name) }
}
