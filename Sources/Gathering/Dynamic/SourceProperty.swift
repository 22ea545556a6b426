import Ground
import Streams
import Synchronization

/// One property of a source as an observable, which listens to the source while it is observed.
final class SourceProperty: ObservableValue {
  private enum Phase: Sendable {
    case idle
    case changing
    case listening(ListenerToken)
  }

  private struct State: Sendable {
    var observers = 0
    var phase = Phase.idle
  }

  private let source: Source
  private let place: PropertyPlace
  private let latest: Variable<Sample>
  private let state = Monitor(State())

  fileprivate init(_ place: PropertyPlace, of source: Source) {
    self.place = place
    self.source = source
    latest = Variable(place.present(in: source))
  }

  var value: Sample {
    let isListening = state.withLock { state in
      if case .listening = state.phase { true } else { false }
    }
    return isListening ? latest.value : place.present(in: source)
  }

  var updates: any ValueStream<Streams.Update<ValueChange<Sample>>> {
    Observed(stream: latest.updates, by: self)
  }

  func subscribe(_ sink: Sink<Sample>) -> Connection {
    Observed(stream: latest, by: self).subscribe(sink)
  }

  // MARK: Listening

  fileprivate func observers(change: Int) {
    state.withLock { $0.observers += change }
    while let action = state.withLock({ Self.next(&$0) }) {
      switch action {
      case .listening(let token):
        token.end()
        state.withLock { $0.phase = .idle }
      case .idle, .changing:
        let token = listen()
        state.withLock { $0.phase = .listening(token) }
      }
    }
  }

  /// The phase to be left; nil if all is as it should be, or another thread sees to it.
  private static func next(_ state: inout State) -> Phase? {
    switch (state.phase, state.observers > 0) {
    case (.idle, true), (.listening, false):
      defer { state.phase = .changing }
      return state.phase
    default: return nil
    }
  }

  private func listen() -> ListenerToken {
    let token = source.addInnerUpdateListener { [weak self] update in
      self?.take(update)
    }
    // What came while nobody listened is where the first subscriber starts from.
    let present = place.present(in: source)
    if !present.hasSameContent(as: latest.value) || present.sequence > latest.value.sequence {
      latest.set(present)
    }
    return token
  }

  private func take(_ update: Update) {
    let samples = update.samples
    let width = max(samples.count / max(update.rowCount, 1), 1)
    let first = place.index(in: source, width: width)
    for sample in stride(from: first, to: samples.count, by: width).map({ samples[$0] })
    where sample.flags.contains(.isNew) {
      latest.set(sample)
    }
  }
}

/// Where a property stands in the list of its source, which may be replaced by that of the instance
/// the source has found (sources N5).
private final class PropertyPlace: Sendable {
  private let key: String
  private let place: Atomic<Int>
  private let width: Atomic<Int>

  init?(_ key: String, in properties: [Property]) {
    guard let index = properties.firstIndex(where: { $0.key.isSpelt(key) }) else { return nil }
    self.key = key
    place = Atomic(index)
    width = Atomic(properties.count)
  }

  var index: Int { place.load(ordering: .relaxed) }

  /// The index in readings of a width.
  func index(in source: Source, width count: Int) -> Int {
    if count != width.load(ordering: .relaxed) {
      let properties = source.properties
      if let index = properties.firstIndex(where: { $0.key.isSpelt(key) }) {
        place.store(index, ordering: .relaxed)
        width.store(properties.count, ordering: .relaxed)
      }
    }
    return index
  }

  /// What the source shows of it.
  func present(in source: Source) -> Sample {
    let samples = source.allValues
    let index = index(in: source, width: samples.count)
    return samples.indices.contains(index) ? samples[index] : .notRead
  }
}

/// A view whose subscriptions make the property listen.
private struct Observed<Value: Sendable>: ValueStream {
  let stream: any ValueStream<Value>
  let owner: SourceProperty

  init(stream: any ValueStream<Value>, by owner: SourceProperty) {
    self.stream = stream
    self.owner = owner
  }

  func subscribe(_ sink: Sink<Value>) -> Connection {
    owner.observers(change: 1)
    let connection = stream.subscribe(sink)
    return Connection { [owner] in
      connection.disconnect()
      owner.observers(change: -1)
    }
  }
}

extension DynamicStream {
  /// The observable of a property of a source, which it keeps; nil if there is no such key.
  ///
  /// It does not start the source. What happens to the source shows in the status of its samples.
  public static func property(
    _ key: String, of source: Source
  ) throws(SourceError) -> DynamicStream {
    try source.context.check()
    let properties = source.properties
    guard let place = PropertyPlace(key, in: properties) else {
      throw .notFound(
        Nearest.sentence(to: key, among: properties.map(\.key), what: "property"))
    }
    return DynamicStream(
      SourceProperty(place, of: source), in: source.context,
      of: Origin(source: source.number) { place.index })
  }
}
