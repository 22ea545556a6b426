package import Ground

/// A stream made of another whose every subscription has a state of its own and works in time.
///
/// The subscriptions share one broadcaster, so that their sinks have one order and never overlap,
/// whichever threads the input and the clock call from.
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
