import Ground

/// The values of a stream that is derived from the value of an observable; a switch sends nothing.
struct FollowedStream<Holder: Sendable, Value: Sendable>: ValueStream {
  let holder: any ObservableValue<Holder>
  let stream: @Sendable (Holder) -> any ValueStream<Value>

  init(
    holder: any ObservableValue<Holder>,
    _ stream: @escaping @Sendable (Holder) -> any ValueStream<Value>
  ) {
    self.holder = holder
    self.stream = stream
  }

  func subscribe(_ sink: Sink<Value>) -> Connection {
    let present = PresentStream(sink)
    let sink = Sink<TransactionEvent<ValueChange<Holder>>>(wantsFinalValue: false) { update in
      if case .change(let change) = update { present.turn(to: stream(change.new)) }
    }
    let outer = holder.startFollowing(Follower(sink))
    present.turn(to: stream(outer.value), isFirst: true)
    return Connection {
      outer.connection.disconnect()
      present.close()
    }
  }
}

/// The connection to the stream that is present.
private final class PresentStream<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var isClosed = false
    var hasTurned = false
    /// Counts the switches, so that no value of a former stream gets through.
    var turn = 0
    var connection: Connection?
  }

  private let sink: Sink<Value>
  private let events = SerialEventQueue<Event>()
  private let state = Lock(State())

  private enum Event: Sendable {
    case turn(any ValueStream<Value>, isFirst: Bool)
    case value(Value, turn: Int)
  }

  init(_ sink: Sink<Value>) {
    self.sink = sink
  }

  func turn(to stream: any ValueStream<Value>, isFirst: Bool = false) {
    events.pass(.turn(stream, isFirst: isFirst)) { event, _ in handle(event) }
  }

  func close() {
    let connection = state.withLock { state in
      state.isClosed = true
      return state.connection.take()
    }
    connection?.disconnect()
  }

  private func handle(_ event: Event) {
    switch event {
    case .turn(let stream, let isFirst): follow(stream, isFirst: isFirst)
    case .value(let value, let turn):
      if state.withLock({ !$0.isClosed && $0.turn == turn }) { sink.receive(value) }
    }
  }

  private func follow(_ stream: any ValueStream<Value>, isFirst: Bool) {
    let turn = state.withLock { state -> Int? in
      // A switch during the subscription is newer than the stream found first.
      if state.isClosed || (isFirst && state.hasTurned) { return nil }
      state.hasTurned = true
      state.turn += 1
      return state.turn
    }
    guard let turn else { return }
    let former = state.withLock { $0.connection.take() }
    former?.disconnect()
    let connection = stream.subscribe { [weak self] value in
      guard let self else { return }
      self.events.pass(.value(value, turn: turn)) { event, _ in self.handle(event) }
    }
    let unwanted = state.withLock { state -> Connection? in
      if state.isClosed { return connection }
      state.connection = connection
      return nil
    }
    unwanted?.disconnect()
  }
}
