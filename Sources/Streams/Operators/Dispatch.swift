public import Ground

extension ValueStream {
  /// The same values in the same order, each delivered by a job of its own on `queue`.
  ///
  /// That also holds for what is sent from the queue itself. Once a connection has been closed, no
  /// job that was already handed over calls its sink.
  public func dispatch(on queue: any WorkQueue) -> any ValueStream<Value> {
    var stream = StatefulStream(self, UnchangedOperator<Value>())
    stream.queue = queue
    return stream
  }
}
