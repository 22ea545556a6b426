import Ground
import Machine

extension Context {
  /// Subscribes to notices about single instances while they, or the aggregate they belong to,
  /// update; holds nothing otherwise (sources L4, K1).
  func tendNotices(of kind: Int) {
    if provider.changesNever { return }
    let (ended, begun) = core.withLock { $0.tendNotices(of: kind) }
    for notice in ended { notice.cancel() }
    for topic in begun {
      let notice = provider.listen(to: topic) { [weak self] moment in
        self?.noteEvent(of: topic, about: kind, at: moment)
      }
      core.withLock { $0.keep(notice, of: topic, about: kind) }?.cancel()
    }
  }

  /// Subscribes again: the instance may be gone, and a similar one may be in its place.
  func renewNotices(of kind: Int) {
    for notice in core.withLock({ $0.kinds[kind].notices.takeAll() }) { notice.cancel() }
    tendNotices(of: kind)
  }

  private func noteEvent(of topic: ChangeTopic, about kind: Int, at moment: Int64?) {
    guard catalogue[kind].intervals.isEventDriven else { return }
    noteEvent(core.withLock { $0.producersConcerned(of: kind, by: topic) }, of: moment)
  }
}

/// The notice subscriptions of a kind's single instances.
struct InstanceNotices: Sendable {
  var live: [ChangeTopic: any Cancellable] = [:]
  /// The topics being subscribed to.
  var pending: Set<ChangeTopic> = []

  mutating func takeAll() -> [any Cancellable] {
    defer { live = [:] }
    return Array(live.values)
  }
}

extension CoreState {
  /// Determines which subscriptions to end and which to begin.
  fileprivate mutating func tendNotices(
    of kind: Int
  ) -> (ended: [any Cancellable], begun: [ChangeTopic]) {
    let wanted = topicsWanted(of: kind)
    if wanted.isEmpty && kinds[kind].notices.live.isEmpty { return ([], []) }
    let superfluous = kinds[kind].notices.live.keys.filter { !wanted.contains($0) }
    let ended = superfluous.compactMap { kinds[kind].notices.live.removeValue(forKey: $0) }
    let begun = wanted.filter {
      kinds[kind].notices.live[$0] == nil && !kinds[kind].notices.pending.contains($0)
    }
    kinds[kind].notices.pending.formUnion(begun)
    return (ended, Array(begun))
  }

  /// Stores the new subscriptions; returns those no longer wanted.
  fileprivate mutating func keep(
    _ notice: (any Cancellable)?, of topic: ChangeTopic, about kind: Int
  ) -> (any Cancellable)? {
    kinds[kind].notices.pending.remove(topic)
    guard let notice else { return nil }
    guard topicsWanted(of: kind).contains(topic) else { return notice }
    kinds[kind].notices.live[topic] = notice
    return nil
  }

  private func topicsWanted(of kind: Int) -> Set<ChangeTopic> {
    guard !isClosed, kinds[kind].hasTopics else { return [] }
    var wanted: Set<ChangeTopic> = []
    for number in kinds[kind].producers.values {
      guard let producer = producers[number], producer.isUsable(allowing: allowance),
        producer.sessions.contains(where: { $0.phase == .updating })
      else { continue }
      wanted.formUnion(topics(of: producer))
    }
    return wanted
  }

  /// An aggregate subscribes to the topics of all its members, and to those of its own readings.
  /// What is personal is not watched unless it may be shown: the moment of an update would tell it.
  private func topics(of producer: ProducerState) -> [ChangeTopic] {
    var topics = producer.instance.topics
    if producer.instance.isAggregate {
      let members = kinds[producer.kindIndex].discovery?.instances.filter(\.isMember) ?? []
      topics += members.flatMap(\.topics)
    }
    return topics.filter { allowance.permits($0.category) }
  }

  fileprivate func producersConcerned(of kind: Int, by topic: ChangeTopic) -> [Int] {
    kinds[kind].producers.values.sorted().filter { number in
      producers[number].map { topics(of: $0).contains(topic) } == true
    }
  }
}

extension ChangeTopic {
  /// What a notice of it tells of a person.
  fileprivate var category: PrivacyCategory? {
    if case .use = self { .activity } else { nil }
  }
}
