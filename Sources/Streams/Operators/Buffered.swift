extension ValueStream {
  /// The same values, shared: one subscription upstream, however many downstream.
  ///
  /// The stream it is derived from is computed once for all. It does not replay.
  public func buffered() -> any OrderedStream<Value> {
    SharedNode { node, epoch in [subscribe(node.forwarding(in: epoch))] }
  }
}
