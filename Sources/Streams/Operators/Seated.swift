package import Ground

/// A stream made of another whose every subscription has a state of its own and works in time.
///
/// The subscriptions share one hub, so that their sinks have one order and never overlap,
/// whichever threads the input and the clock call from.
package struct Seated<Work: SeatWork>: OrderedStream {
  let input: any ValueStream<Work.Input>
  let start: Work
  var clock: (any Clock)?
  /// Where values are handled; on the thread that sends them if nil.
  var queue: (any WorkQueue)?
  var hello: (@Sendable () -> Work.Output?)?
  var goodbye: (@Sendable () -> Work.Output?)?
  private let hub = Hub<Work.Output, Void>(cascadeLimit: 100_000, held: ())

  /// Makes a stream whose subscriptions each begin with the work as it is in `start`.
  package init(
    _ input: any ValueStream<Work.Input>, _ start: Work, on clock: (any Clock)? = nil
  ) {
    self.input = input
    self.start = start
    self.clock = clock
  }

  /// How many subscriptions are open.
  package var subscriberCount: Int { hub.subscriberCount }

  /// How many values one cascade may have.
  package var cascadeLimit: Int {
    get { hub.cascadeLimit }
    nonmutating set { hub.cascadeLimit = newValue }
  }

  /// Opens a subscription with a state of its own.
  package func subscribe(_ sink: Sink<Work.Output>) -> Connection {
    let receive = sink.receive
    let farewell = goodbye.map { goodbye in
      { @Sendable in
        if let value = goodbye() { receive(value) }
      }
    }
    let receiver = Receiver(farewell: sink.hearsFarewell ? farewell : nil, receive)
    let seat = Seat(start, hub: hub, clock: clock)
    return seat.open(receiver, hello: hello) { [input, queue] in
      input.subscribe(
        Sink(hearsFarewell: false) { [weak seat] value in
          guard let queue else {
            seat?.receive(value)
            return
          }
          queue.submit { [weak seat] in seat?.receive(value) }
        })
    }
  }
}
