public import Ground

extension ValueStream {
  /// The same values in the same order, each delivered by a job of its own on `queue`.
  ///
  /// This also applies to values sent from the queue itself. Once a connection has been closed, no
  /// job that was already submitted calls its sink.
  public func dispatch(on queue: any WorkQueue) -> any ValueStream<Value> {
    var stream = StatefulStream(self, UnchangedOperator<Value>())
    stream.queue = queue
    return stream
  }
}

/// A stream derived from another whose subscriptions each have their own state and may use timers.
///
/// The subscriptions share one broadcaster, so that their sinks have one order and never overlap,
/// on whichever threads the input and the clock call.
package struct StatefulStream<Operator: StreamOperator>: OrderedStream {
  let input: any ValueStream<Operator.Input>
  let initial: Operator
  var clock: (any Clock)?
  /// Where values are handled; on the thread that sends them if nil.
  var queue: (any WorkQueue)?
  var hello: (@Sendable () -> Operator.Output?)?
  var goodbye: (@Sendable () -> Operator.Output?)?
  private let broadcaster = Broadcaster<Operator.Output, Void>(cascadeLimit: 100_000, held: ())

  /// Makes a stream whose subscriptions each begin with the operator as it is in `initial`.
  package init(
    _ input: any ValueStream<Operator.Input>, _ initial: Operator, on clock: (any Clock)? = nil
  ) {
    self.input = input
    self.initial = initial
    self.clock = clock
  }

  /// How many subscriptions are open.
  package var subscriberCount: Int { broadcaster.subscriberCount }

  /// How many values one cascade may have.
  package var cascadeLimit: Int {
    get { broadcaster.cascadeLimit }
    nonmutating set { broadcaster.cascadeLimit = newValue }
  }

  /// Opens a subscription with a state of its own.
  package func subscribe(_ sink: Sink<Operator.Output>) -> Connection {
    let receive = sink.receive
    let sendFinalValue = goodbye.map { goodbye in
      { @Sendable in
        if let value = goodbye() { receive(value) }
      }
    }
    let callbacks = SubscriberCallbacks(
      sendFinalValue: sink.wantsFinalValue ? sendFinalValue : nil, receive)
    let subscription = OperatorSubscription(initial, broadcaster: broadcaster, clock: clock)
    return subscription.open(callbacks, hello: hello) { [input, queue] in
      input.subscribe(
        Sink(wantsFinalValue: false) { [weak subscription] value in
          guard let queue else {
            subscription?.receive(value)
            return
          }
          queue.submit { [weak subscription] in subscription?.receive(value) }
        })
    }
  }
}

/// The behaviour of a subscription, as a value. It only makes decisions; its caller carries them
/// out.
package protocol StreamOperator<Input, Output>: Sendable {
  associatedtype Input: Sendable
  associatedtype Output: Sendable

  /// The subscription has opened.
  mutating func open(at now: Moment) -> OperatorEffect<Output>
  /// A value has arrived.
  mutating func receive(_ value: Input, at now: Moment) -> OperatorEffect<Output>
  /// The alarm has fired.
  mutating func ring(at now: Moment) -> OperatorEffect<Output>
}

extension StreamOperator {
  package mutating func open(at now: Moment) -> OperatorEffect<Output> { OperatorEffect() }
  package mutating func ring(at now: Moment) -> OperatorEffect<Output> { OperatorEffect() }
}

/// An operator that holds one value back for a time.
package protocol HoldingOperator<Value>: StreamOperator where Input == Value, Output == Value {
  associatedtype Value
  /// Makes one that holds nothing.
  init(_ duration: Duration)
  /// For how long; it may be changed at any time.
  var duration: Duration { get set }
  /// When the held value is sent, unless others arrive; nil while none is held.
  var due: Moment? { get }
}

/// The actions for a subscription.
package struct OperatorEffect<Output: Sendable>: Sendable {
  /// The change of a subscription's single alarm.
  package enum Alarm: Hashable, Sendable {
    case keep, off
    /// Rings at that moment and at none it was set to before.
    case at(Moment)
  }

  /// To be sent.
  package var value: Output?
  package var alarm: Alarm
  /// A value no longer needed; the caller releases it where no lock is held.
  package var spent: Output?

  package init(_ value: Output? = nil, alarm: Alarm = .keep, spent: Output? = nil) {
    self.value = value
    self.alarm = alarm
    self.spent = spent
  }
}
