extension ValueStream {
  /// The same values, shared: one subscription upstream, however many downstream.
  ///
  /// What is derived before it is computed once for all. It does not replay.
  public func buffered() -> any OrderedStream<Value> {
    SharedNode { node, epoch in [subscribe(node.forwarding(in: epoch))] }
  }
}
