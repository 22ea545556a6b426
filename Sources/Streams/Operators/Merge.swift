/// Every value of every input, in one order.
///
/// A value that a sink sends into an input is queued behind the value in delivery. A merge of
/// merges behaves like one flat merge.
public func merge<Value: Sendable>(
  _ inputs: any ValueStream<Value>...
) -> any OrderedStream<Value> {
  merge(inputs)
}

/// Every value of every input of a list, in one order.
public func merge<Value: Sendable>(
  _ inputs: [any ValueStream<Value>]
) -> any OrderedStream<Value> {
  Merged(inputs: inputs.flatMap { ($0 as? Merged<Value>)?.inputs ?? [$0] })
}

private struct Merged<Value: Sendable>: OrderedStream {
  let inputs: [any ValueStream<Value>]
  private let node: SharedNode<Value>

  init(inputs: [any ValueStream<Value>]) {
    self.inputs = inputs
    node = SharedNode { node, epoch in
      inputs.map { $0.subscribe(node.forwarding(in: epoch)) }
    }
  }

  var subscriberCount: Int { node.subscriberCount }

  var cascadeLimit: Int {
    get { node.cascadeLimit }
    nonmutating set { node.cascadeLimit = newValue }
  }

  func subscribe(_ sink: Sink<Value>) -> Connection { node.subscribe(sink) }
}
