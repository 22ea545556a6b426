public import Gathering
import Ground
import Streams
import Values

/// All sources of a context on their way into a recorder: those that can start, and from then on
/// those that appear or become able to.
///
/// It holds what it has opened and started. It keeps no recorder.
final class WholeContext: Sendable {
  private struct Session: Sendable {
    let source: Source
    let token: ListenerToken
  }

  private struct State {
    /// All ids that were ever in the list.
    var seen: Set<SourceIdentifier> = []
    /// Where an available aggregate stands for its members.
    var standIns: Set<SourceIdentifier> = []
    /// Changes that have come before the list; nil once it has.
    var early: [ArrayChange<SourceDescription>]? = []
    var sessions: [UInt32: Session] = [:]
    /// Those that the recorder has, and those that are on their way.
    var added: Set<UInt32> = []
    var underWay: Set<UInt32> = []
    var instances: Connection?
    var isOver = false

    /// Those of the rows that have come which are new, and for which no aggregate stands.
    mutating func take(
      _ gone: [SourceDescription], _ come: [SourceDescription], standIns isWanted: Bool
    ) -> [SourceIdentifier] {
      if isOver { return [] }
      if isWanted {
        for row in gone where row.isAggregate { standIns.remove(row.place) }
        for row in come where row.standsIn { standIns.insert(row.place) }
      }
      let new = come.filter { seen.insert($0.id).inserted }
      return new.filter { !isWanted || $0.isAggregate || !standIns.contains($0.place) }.map(\.id)
    }

    /// The changes that have come early, once; nil if there are none, and none is early any more.
    mutating func takeEarly() -> [ArrayChange<SourceDescription>]? {
      let changes = early ?? []
      early = changes.isEmpty ? nil : []
      return changes.isEmpty ? nil : changes
    }
  }

  private let context: Context
  private let interval: Int64?
  private let standIns: Bool
  private weak let recorder: Recorder?
  private let refuse: @Sendable (SourceIdentifier, SourceError) -> Void
  private let state = Monitor(State())

  /// Of a context for a recorder; with `standIns` an aggregate stands for its members.
  init(
    _ context: Context, for recorder: Recorder, standIns: Bool, every interval: Int64?,
    _ refuse: @escaping @Sendable (SourceIdentifier, SourceError) -> Void
  ) {
    self.context = context
    self.recorder = recorder
    self.standIns = standIns
    self.interval = interval
    self.refuse = refuse
  }

  /// Begins; how many sources update when it returns.
  func begin() throws(SourceError) -> Int {
    let list = try context.instances()
    let connection = list.changes.subscribe { [weak self] change in self?.take(change) }
    state.withLock { $0.instances = connection }
    begin(with: list.value)
    return state.withLock { $0.sessions }.values.count { $0.source.isUpdating }
  }

  /// Stops and lets go of all sources.
  func end() {
    let (sessions, instances) = state.withLock { state in
      state.isOver = true
      defer { (state.sessions, state.instances) = ([:], nil) }
      return (state.sessions, state.instances)
    }
    instances?.disconnect()
    for session in sessions.values {
      session.token.end()
      try? session.source.stopUpdating()
    }
  }

  /// Takes the list, and then the changes that have come meanwhile. Some of these may be in it
  /// already: what is taken twice is as if taken once.
  private func begin(with list: [SourceDescription]) {
    hold(state.withLock { $0.take([], list, standIns: standIns) })
    while let changes = state.withLock({ $0.takeEarly() }) { changes.forEach(follow) }
  }

  private func take(_ change: ArrayChange<SourceDescription>) {
    let isEarly = state.withLock { state in
      state.early?.append(change)
      return state.early != nil
    }
    if !isEarly { follow(change) }
  }

  private func follow(_ change: ArrayChange<SourceDescription>) {
    let (old, new) = (change.modifications.flatMap(\.old), change.modifications.flatMap(\.new))
    hold(state.withLock { $0.take(old, new, standIns: standIns) })
  }

  private func hold(_ ids: [SourceIdentifier]) {
    for id in ids { hold(id) }
  }

  /// Opens a source, and starts it as soon as that is possible.
  private func hold(_ id: SourceIdentifier) {
    do throws(SourceError) {
      let source = try context.open(id)
      let token = source.addEventListener { [weak self, weak source] event in
        if case .availabilityChanged = event.what, let source { self?.start(source) }
      }
      let isLate = state.withLock { state in
        if !state.isOver {
          state.sessions[source.number] = Session(source: source, token: token)
        }
        return state.isOver
      }
      if !isLate { start(source) }
    } catch {
      refuse(id, error)
    }
  }

  /// Records and starts a source if it is available, once.
  private func start(_ source: Source) {
    guard source.availability.group == .available, !source.isUpdating, let recorder else { return }
    let number = source.number
    let isMine = state.withLock { !$0.isOver && $0.underWay.insert(number).inserted }
    guard isMine else { return }
    defer { _ = state.withLock { $0.underWay.remove(number) } }
    do throws(SourceError) {
      if !state.withLock({ $0.added.contains(number) }) {
        guard try add(source, to: recorder) else { return letGo(of: number) }
        _ = state.withLock { $0.added.insert(number) }
      }
      try source.startUpdating(every: interval)
    } catch {
      refuse(source.id, error)
      if !state.withLock({ $0.added.contains(number) }) { letGo(of: number) }
    }
  }

  /// Whether the recorder takes it: not what it has, nor what is too personal for its target.
  private func add(_ source: Source, to recorder: Recorder) throws(SourceError) -> Bool {
    if recorder.has(source.id) { return false }
    do throws(SourceError) {
      try recorder.add(source)
      return true
    } catch .unavailable(let why) where why.state == .requiresPermission {
      return false
    }
  }

  private func letGo(of number: UInt32) {
    let session = state.withLock { $0.sessions.removeValue(forKey: number) }
    session?.token.end()
  }
}

extension [SourceDescription] {
  /// Without the members of kinds whose aggregate is available, machine by machine.
  public var withStandIns: [SourceDescription] {
    let standIns = Set(filter(\.standsIn).map(\.place))
    return filter { $0.isAggregate || !standIns.contains($0.place) }
  }
}

extension SourceDescription {
  /// Whether it can stand for its members.
  fileprivate var standsIn: Bool { isAggregate && availability.group == .available }

  /// Its kind on its machine.
  fileprivate var place: SourceIdentifier {
    SourceIdentifier(checkedKind: id.kind, instance: nil, device: id.device)
  }
}
