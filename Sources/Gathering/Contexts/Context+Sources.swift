package import Ground
public import Values

extension Context {
  /// Opens a new, private session on an id or a bare kind.
  ///
  /// A known kind always opens, present or not; an unknown kind or device is `notFound` with the
  /// nearest names (sources N4, N5).
  public func open(_ text: String) throws(SourceError) -> Source {
    let id: SourceIdentifier
    do {
      id = try SourceIdentifier(parsing: text)
    } catch {
      throw .parse(error.description)
    }
    return try open(id)
  }

  /// Opens a new, private session on an id.
  public func open(_ id: SourceIdentifier) throws(SourceError) -> Source {
    let kind = try lookAround(for: id)
    let session = core.withLock { $0.addSession(id, of: kind) }
    if provider.tellsForFree { tendWatch(of: kind) }
    return Source(session, in: self)
  }

  /// The properties a session on an id would have, without opening one: those of the instance, and
  /// those of the kind where there is none.
  ///
  /// Throws as `open` does.
  public func properties(of id: SourceIdentifier) throws(SourceError) -> [Property] {
    let kind = try lookAround(for: id)
    return core.withLock { $0.properties(of: id, kind: kind) }
  }

  /// The index of an id's kind, with a fresh list of its instances.
  private func lookAround(for id: SourceIdentifier) throws(SourceError) -> Int {
    try check()
    guard let kind = core.withLock({ $0.kindIndex(of: id.kind) }) else {
      throw .notFound(
        Nearest.sentence(to: id.kind, among: catalogue.map(\.kind), what: "kind"))
    }
    let device = core.withLock { $0.device(of: id.kind) }
    if let text = id.device, let refusal = device.refusal(of: text) {
      throw .notFound("no device \"\(text)\" here; ids of this context \(refusal)")
    }
    try provider.describe(id)
    refreshList(kind, .changes(around: id))
    return kind
  }

  /// All instances of a kind, or of every kind in catalogue order, without starting anything.
  public func sources(of kind: String? = nil) throws(SourceError) -> [SourceDescription] {
    try check()
    var found: [SourceDescription] = []
    let indices = try kinds(named: kind)
    let held = kind == nil ? holdServices(of: indices) : []
    defer { for one in held { one.cancel() } }
    for index in indices {
      refreshList(index)
      found += core.withLock { $0.descriptions(of: index) }
    }
    return found
  }

  /// The same, without a new look at kinds that are being watched, and empty for a closed context.
  func listedSources(of kind: String?) -> [SourceDescription] {
    guard (try? check()) != nil, let indices = try? kinds(named: kind) else { return [] }
    let unwatched = core.withLock { state in indices.filter { !state.isNeeded($0) } }
    let held = unwatched.count > 1 ? holdServices(of: unwatched) : []
    defer { for one in held { one.cancel() } }
    for index in unwatched { refreshList(index) }
    return core.withLock { state in indices.flatMap(state.descriptions) }
  }

  /// The index of the kind of a word; nil for none.
  func index(of word: String?) throws(SourceError) -> Int? {
    try check()
    return word == nil ? nil : try kinds(named: word).first
  }

  /// Calls `receive` when instances of a kind (nil: of any kind) appear or disappear (sources H2).
  ///
  /// Instances already present are not announced.
  public func watch(
    _ kind: String? = nil, onEnd: @escaping @Sendable () -> Void = {},
    _ receive: @escaping @Sendable (SourceEvent) -> Void
  ) throws(SourceError) -> ListenerToken {
    try watch(kind, isOfLists: false, onEnd: onEnd, receive)
  }

  /// The same; with `isOfLists` the calls say that a list may be another one, and nothing else.
  func watch(
    _ kind: String?, isOfLists: Bool, onEnd: @escaping @Sendable () -> Void = {},
    _ receive: @escaping @Sendable (SourceEvent) -> Void
  ) throws(SourceError) -> ListenerToken {
    let indices: [Int]
    do throws(SourceError) {
      try check()
      indices = try kinds(named: kind)
    } catch {
      onEnd()
      throw error
    }
    for index in indices { refreshList(index) }
    let listener = Listener(.event(receive), onEnd: onEnd)
    let only = kind == nil ? nil : indices.first
    let isLate = core.withLock { state in
      if !state.isClosed {
        state.watchers.append(
          Watcher(kindIndex: only, isOfLists: isOfLists, listener: listener))
      }
      return state.isClosed
    }
    if isLate {
      dispatcher.end(listener)
      throw .closed
    }
    for index in indices { tendWatch(of: index) }
    return ListenerToken(listener, dispatcher: dispatcher) { [weak self] listener in
      guard let self else { return }
      // The token holds the listener, so nothing is released under the lock.
      self.core.withLock { $0.watchers.removeAll { $0.listener === listener } }
      for index in indices { self.tendWatch(of: index) }
    }
  }

  /// Queries the services that lists of kinds depend on, once for all looks at these kinds until
  /// the results are cancelled. Waits for nothing; a word that names no kind is passed over.
  package func holdServices(ofKinds words: [String]) -> [any Cancellable] {
    holdServices(of: core.withLock { state in Set(words.compactMap(state.kindIndex)) })
  }

  /// Has what is remembered of failures forgotten for kinds whose lists are looked at next, so that
  /// a reading behind these finds no more than they do; every 2 s at most (sources A4).
  package func lookAnew(atKinds words: [String]) {
    let now = clock.boot
    let due = core.withLock { state in
      Set(words.compactMap(state.kindIndex)).filter { state.takeLook(at: $0, at: now) }
    }
    for index in due { provider.lookAnew(catalogue[index]) }
  }

  // MARK: Below

  private func holdServices(of kinds: some Sequence<Int>) -> [any Cancellable] {
    (try? check()) == nil ? [] : provider.hold(kinds.map { catalogue[$0] })
  }

  private func kinds(named word: String?) throws(SourceError) -> [Int] {
    guard let word else { return Array(catalogue.indices) }
    guard let index = core.withLock({ $0.kindIndex(of: word) }) else {
      throw .notFound(Nearest.sentence(to: word, among: catalogue.map(\.kind), what: "kind"))
    }
    return [index]
  }

  /// Refreshes a list; the only side effect is that watchers are notified of changes.
  func refreshList(_ kind: Int, _ extent: LookExtent = .whole) {
    if let last = look(at: [kind], extent, isCaused: true) { dispatcher.settle(through: last) }
  }

  func add(_ listener: Listener, to session: SessionState) -> ListenerToken {
    // A former list is let go outside the lock.
    let former = core.withLock { state -> ListenerList in
      let former = session.listeners
      guard !state.isClosed else { return former }
      switch listener.callback {
      case .update, .rows, .batch: session.listeners = former.adding(listener)
      case .event: session.eventListeners = session.eventListeners + [listener]
      // Those of streams belong to no source.
      case .samples, .transform: break
      }
      return former
    }
    dispatcher.retire(former)
    let kind = session.kindIndex
    if case .event = listener.callback { tendWatch(of: kind) }
    return ListenerToken(listener, dispatcher: dispatcher) { [weak self, session] listener in
      guard let self else { return }
      let former = self.core.withLock { _ in
        let former = session.listeners
        if former.listeners.contains(where: { $0 === listener }) {
          session.listeners = former.removing(listener)
        }
        session.eventListeners = session.eventListeners.filter { $0 !== listener }
        return former
      }
      self.dispatcher.retire(former)
      self.tendWatch(of: kind)
    }
  }
}

/// One row of a list: an instance, or a kind without any.
public struct SourceDescription: Equatable, Sendable {
  /// The full id.
  public let id: SourceIdentifier
  /// The kind's name, for people.
  public let name: String
  /// The instance's label, for people.
  public let label: String
  /// Whether it can start now.
  public let availability: Availability

  /// A row of what is open already.
  package init(
    id: SourceIdentifier, name: String, label: String, availability: Availability
  ) {
    self.id = id
    self.name = name
    self.label = label
    self.availability = availability
  }

  /// Whether it is the aggregate of its kind, here or on another machine.
  package var isAggregate: Bool { id.instance == Instance.aggregateName }

  /// Whether both are the same, and all their texts the same bytes.
  package func isSpelt(like other: SourceDescription) -> Bool {
    let (own, others) = (availability, other.availability)
    return self == other && name.isSpelt(other.name) && label.isSpelt(other.label)
      && own.backend.isSpelt(others.backend) && own.detail.isSpelt(others.detail)
      && own.remedy.isSpelt(others.remedy)
  }
}

extension CoreState {
  mutating func addSession(_ id: SourceIdentifier, of kind: Int) -> SessionState {
    let number = nextSession()
    let description = kinds[kind].kind
    let name = instance(of: id, kind: kind)
    let producer = name.map { self.producer(named: $0, of: kind) }
    let properties = producer.flatMap { producers[$0]?.properties } ?? description.properties
    let session = SessionState(
      number: number, kindIndex: kind, kind: description,
      id: name.map { self.id(of: $0, of: description) } ?? id, properties: properties,
      availability: Availability(.noHardware), isHostMode: isHostMode)
    sessions[number] = session
    if let producer, let instance = producers[producer] {
      session.bind(to: instance, numbered: producer)
      instance.sessions.append(session)
    }
    session.toldAvailability = availability(of: number)
    return session
  }

  func properties(of id: SourceIdentifier, kind: Int) -> [Property] {
    let name = instance(of: id, kind: kind)
    if let name, let known = kinds[kind].producers[ExactText(name)], let producer = producers[known]
    {
      return producer.properties
    }
    let instance = name.flatMap { kinds[kind].instance(named: $0) }
    return instance?.properties ?? kinds[kind].kind.properties
  }

  /// The name of the instance that an id means; nil where there is none yet.
  private func instance(of id: SourceIdentifier, kind: Int) -> String? {
    device(of: id.kind).instance(of: id).map { resolve($0, of: kind) } ?? defaultInstance(of: kind)
  }

  /// The stable name of an instance asked for by name or alias (sources N6).
  private func resolve(_ name: String, of kind: Int) -> String {
    let list = kinds[kind].discovery?.instances ?? []
    let isKnown = kinds[kind].producers[ExactText(name)] != nil
    if isKnown || kinds[kind].instance(named: name) != nil { return name }
    let bearsAddress = withholder(of: kind) != nil && HardwareAddress.first(in: name) != nil
    if bearsAddress { return name }
    return list.first { $0.aliases.contains { $0.isSpelt(name) } }?.name ?? name
  }

  /// Whether a kind was ever looked at.
  func isKnown(_ kind: Int) -> Bool { kinds[kind].discovery != nil }

  /// The instance of an id in the last list.
  func listed(_ id: SourceIdentifier, of kind: Int) -> Instance? {
    guard let name = id.instance else { return nil }
    return kinds[kind].discovery?.instances.first { $0.name.isSpelt(name) }
  }

  func descriptions(of kind: Int) -> [SourceDescription] {
    let description = kinds[kind].kind
    let identity = withholder(of: kind)
    return (kinds[kind].discovery?.instances ?? []).map { instance in
      let instance = identity.map(instance.withheld) ?? instance
      return SourceDescription(
        id: id(of: instance.name, of: description), name: description.name,
        label: instance.label,
        availability: instance.availability.needing(description.category, allowing: allowance))
    }
  }
}

extension SourceIdentifier {
  /// The id of a kind of the catalogue.
  static func kind(_ word: String) -> SourceIdentifier {
    SourceIdentifier(checkedKind: word, instance: nil, device: nil)
  }
}
