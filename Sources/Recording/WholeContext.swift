public import Gathering
import Ground
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
    /// All ids that were ever in a list.
    var seen: Set<SourceIdentifier> = []
    var sessions: [UInt32: Session] = [:]
    /// Those that the recorder has, and those that are on their way.
    var added: Set<UInt32> = []
    var underWay: Set<UInt32> = []
    var watch: ListenerToken?
    var isOver = false
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
    let watch = try context.watch { [weak self] event in
      if event.what == .added { self?.look(for: event.id) }
    }
    state.withLock { $0.watch = watch }
    take(try context.sources())
    return state.withLock { $0.sessions }.values.count { $0.source.isUpdating }
  }

  /// Stops and lets go of all sources.
  func end() {
    let (sessions, watch) = state.withLock { state in
      state.isOver = true
      defer { (state.sessions, state.watch) = ([:], nil) }
      return (state.sessions, state.watch)
    }
    watch?.end()
    for session in sessions.values {
      session.token.end()
      try? session.source.stopUpdating()
    }
  }

  /// Looks at a kind, of which an instance has come.
  private func look(for id: SourceIdentifier) {
    if state.withLock({ $0.isOver || $0.seen.contains(id) }) { return }
    if let list = try? context.sources(of: id.kind) { take(list) }
  }

  private func take(_ list: [SourceDescription]) {
    let wanted = Set((standIns ? list.withStandIns : list).map(\.id))
    for id in list.map(\.id) {
      let isNew = state.withLock { !$0.isOver && $0.seen.insert(id).inserted }
      if isNew, wanted.contains(id) { hold(id) }
    }
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
    let aggregates = filter(\.isAggregate)
    let standIns = Set(aggregates.filter { $0.availability.group == .available }.map(\.place))
    return filter { $0.isAggregate || !standIns.contains($0.place) }
  }
}

extension SourceDescription {
  fileprivate var isAggregate: Bool { id.instance == "aggregate" }

  /// Its kind on its machine.
  fileprivate var place: SourceIdentifier {
    SourceIdentifier(checkedKind: id.kind, instance: nil, device: id.device)
  }
}
