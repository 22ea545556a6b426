/// A stream with an order, a queue and a cascade limit of its own.
public protocol OrderedStream<Value>: ValueStream {
  /// The number of open subscriptions, including those that still wait behind a queue.
  var subscriberCount: Int { get }

  /// How many values one cascade may have, the one that began it included; at least 1.
  ///
  /// It may be changed at any time and holds at once.
  var cascadeLimit: Int { get nonmutating set }
}

extension Signal: OrderedStream {}
extension TimerStream: OrderedStream {}
