import Ground
import Streams
import Values

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
  private let place: PropertyIndex
  private let latest: Variable<Sample>
  private let state = Monitor(State())

  fileprivate init(_ place: PropertyIndex, of source: Source) {
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

  var updates: any ValueStream<TransactionEvent<ValueChange<Sample>>> {
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
    // The first subscriber starts with the value received while there was no listener.
    let present = place.present(in: source)
    if !present.hasSameContent(as: latest.value) || present.sequence > latest.value.sequence {
      latest.set(present)
    }
    return token
  }

  private func take(_ update: SourceUpdate) {
    let samples = update.samples
    let width = max(samples.count / max(update.rowCount, 1), 1)
    guard let first = place.index(in: source, width: width) else { return }
    for sample in stride(from: first, to: samples.count, by: width).map({ samples[$0] })
    where sample.flags.contains(.isNew) {
      latest.set(sample)
    }
  }
}

/// The position of a property in the list of its source, which the list of the bound instance may
/// replace (sources N5).
private final class PropertyIndex: Sendable {
  private let key: String
  /// The index in readings of a width, as far as is known.
  private let known: Lock<(index: Int, width: Int)>

  init?(_ key: String, in properties: [Property]) {
    guard let index = properties.firstIndex(where: { $0.key.isSpelt(key) }) else { return nil }
    self.key = key
    known = Lock((index, properties.count))
  }

  var index: Int { known.withLock { $0.index } }

  /// The index in readings of a width; nil in readings of another list than the source has now.
  func index(in source: Source, width: Int) -> Int? {
    let known = known.withLock { $0 }
    if known.width == width { return known.index }
    let properties = source.properties
    guard properties.count == width,
      let index = properties.firstIndex(where: { $0.key.isSpelt(key) })
    else { return nil }
    self.known.withLock { $0 = (index, width) }
    return index
  }

  /// The present sample of the source.
  func present(in source: Source) -> Sample {
    let samples = source.allValues
    return index(in: source, width: samples.count).map { samples[$0] } ?? .notRead
  }
}

/// A view whose subscriptions make the property listen to its source.
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
  /// The observable of a property of a source, which it keeps. Throws `notFound`, with the nearest
  /// key, if there is no such property.
  ///
  /// It does not start the source. The state of the source shows in the status of its samples.
  public static func property(
    _ key: String, of source: Source
  ) throws(SourceError) -> DynamicStream {
    try source.context.check()
    let properties = source.properties
    guard let place = PropertyIndex(key, in: properties) else {
      throw .notFound(
        Nearest.sentence(to: key, among: properties.map(\.key), what: "property"))
    }
    return DynamicStream(
      SourceProperty(place, of: source), in: source.context,
      of: Origin(source: source.number) { place.index })
  }
}
