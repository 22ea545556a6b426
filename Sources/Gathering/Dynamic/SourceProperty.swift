import Ground
import Machine
import Streams

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
  private let index: Int
  private let latest: Variable<Sample>
  private let state = Monitor(State())

  init(_ index: Int, of source: Source) {
    self.index = index
    self.source = source
    latest = Variable(Self.present(index, of: source))
  }

  var value: Sample {
    let isListening = state.withLock { state in
      if case .listening = state.phase { true } else { false }
    }
    return isListening ? latest.value : Self.present(index, of: source)
  }

  var updates: any ValueStream<Streams.Update<ValueChange<Sample>>> {
    Observed(stream: latest.updates, by: self)
  }

  func subscribe(_ sink: Sink<Sample>) -> Connection {
    Observed(stream: latest, by: self).subscribe(sink)
  }

  private static func present(_ index: Int, of source: Source) -> Sample {
    let samples = source.allValues
    return samples.indices.contains(index) ? samples[index] : .notRead
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
    let present = Self.present(index, of: source)
    if !present.hasSameContent(as: latest.value) || present.sequence > latest.value.sequence {
      latest.set(present)
    }
    return token
  }

  private func take(_ update: Update) {
    let samples = update.samples
    let width = max(samples.count / max(update.rowCount, 1), 1)
    for sample in stride(from: index, to: samples.count, by: width).map({ samples[$0] })
    where sample.flags.contains(.isNew) {
      latest.set(sample)
    }
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
    guard let index = properties.firstIndex(where: { $0.key.isSpelt(key) }) else {
      throw .notFound(
        Nearest.sentence(to: key, among: properties.map(\.key), what: "property"))
    }
    return DynamicStream(
      SourceProperty(index, of: source), in: source.context,
      of: Origin(source: source.number, property: index))
  }
}
