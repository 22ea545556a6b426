import Synchronization

/// An observable that counts the subscriptions to it, to its views and to observables derived from
/// it.
package final class CountedView<Value: Sendable>: ObservableValue, OrderedStream, Origin {
  private let view: any ObservableValue<Value>
  private let count = Tally()

  /// Makes a view of another observable that counts for itself.
  package static func of(
    _ value: any ObservableValue<Value>
  ) -> (value: any ObservableValue<Value>, order: any OrderedStream) {
    guard let written = value as? WrittenThrough<Value> else {
      let view = CountedView(value)
      return (view, view)
    }
    let view = CountedView(written.view)
    let counted = WrittenThrough(
      view, origins: written.writing.origins, set: written.writing.set)
    return (counted, view)
  }

  private init(_ view: any ObservableValue<Value>) {
    self.view = view
  }

  /// How many subscriptions are open.
  package var subscriberCount: Int { count.number }

  /// How many sets one cascade may have, where the value has an order of its own.
  package var cascadeLimit: Int {
    get { (view as? any OrderedStream)?.cascadeLimit ?? .max }
    set { (view as? any OrderedStream)?.cascadeLimit = newValue }
  }

  /// The present value.
  package var value: Value { view.value }

  /// Begin, each change as it is made, and end of every transaction.
  package var updates: any ValueStream<TransactionEvent<ValueChange<Value>>> {
    CountedStream(view.updates, count)
  }

  var phase: TransactionPhase { view.presentPhase }

  /// Adds a sink.
  package func subscribe(_ sink: Sink<Value>) -> Connection {
    count.counting { view.subscribe(sink) }
  }

  func follow(_ follower: Follower<Value>) -> (connection: Connection, value: Value) {
    count.add(1)
    let following = view.startFollowing(follower)
    return (count.closing(following.connection), following.value)
  }
}

/// A stream that counts its subscriptions.
package struct CountedStream<Value: Sendable>: OrderedStream {
  private let stream: any ValueStream<Value>
  private let count: Tally

  /// Makes a stream that counts for itself.
  package init(_ stream: any ValueStream<Value>) {
    self.init(stream, Tally())
  }

  init(_ stream: any ValueStream<Value>, _ count: Tally) {
    self.stream = stream
    self.count = count
  }

  /// How many subscriptions are open.
  package var subscriberCount: Int { count.number }

  /// How many values one cascade may have, where the stream has an order of its own.
  package var cascadeLimit: Int {
    get { (stream as? any OrderedStream<Value>)?.cascadeLimit ?? .max }
    nonmutating set { (stream as? any OrderedStream<Value>)?.cascadeLimit = newValue }
  }

  /// Adds a sink.
  package func subscribe(_ sink: Sink<Value>) -> Connection {
    count.counting { stream.subscribe(sink) }
  }
}

/// Counts subscriptions, from the call on to the end of the disconnection.
final class Tally: Sendable {
  private let subscriptions = Atomic<Int>(0)

  var number: Int { subscriptions.load(ordering: .sequentiallyConsistent) }

  func add(_ change: Int) {
    subscriptions.add(change, ordering: .sequentiallyConsistent)
  }

  func counting(_ subscribe: () -> Connection) -> Connection {
    add(1)
    return closing(subscribe())
  }

  func closing(_ connection: Connection) -> Connection {
    Connection {
      connection.disconnect()
      self.add(-1)
    }
  }
}

extension DerivedValue: OrderedStream {}
extension BufferedValue: OrderedStream {}

extension HeldValue {
  /// How many subscriptions are open.
  var subscriberCount: Int { broadcaster.subscriberCount }

  /// How many sets one cascade may have.
  var cascadeLimit: Int {
    get { broadcaster.cascadeLimit }
    set { broadcaster.cascadeLimit = newValue }
  }
}
