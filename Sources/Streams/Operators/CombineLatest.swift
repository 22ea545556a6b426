import Ground

/// The newest values of all inputs, first when each has delivered once, then on every arrival.
///
/// The values of the inputs are dropped when the last subscriber leaves.
@_semantics("optimize.no.crossmodule")  // Swift 6.3 fails to hand over a pack of slots.
public func combineLatest<each Value: Sendable>(
  _ input: repeat any ValueStream<each Value>
) -> any OrderedStream<(repeat each Value)> {
  let inputs = (repeat each input)
  let slots = (repeat Slot<each Value>())
  let newest: @Sendable () -> (repeat each Value)? = {
    try? (repeat (each slots).newest())
  }
  return SharedNode { node, epoch in
    repeat (each slots).clear()
    var connections: [Connection] = []
    for (input, slot) in repeat (each inputs, each slots) {
      connections.append(slot.fill(from: input, for: node, in: epoch, newest))
    }
    return connections
  }
}

/// The newest values of a list of inputs, in the order of the list.
///
/// It sends first when each input has delivered once, then on every arrival. Without inputs it is
/// silent.
public func combineLatest<Value: Sendable>(
  _ inputs: [any ValueStream<Value>]
) -> any OrderedStream<[Value]> {
  let slots = inputs.map { _ in Slot<Value>() }
  let newest: @Sendable () -> [Value]? = {
    try? slots.map { slot throws(Slot<Value>.Vacancy) in try slot.newest() }
  }
  return SharedNode { node, epoch in
    for slot in slots { slot.clear() }
    return zip(inputs, slots).map { input, slot in
      slot.fill(from: input, for: node, in: epoch, newest)
    }
  }
}

/// The newest value of one input.
private final class Slot<Value: Sendable>: Sendable {
  struct Vacancy: Error {}

  private let content = Lock<Value?>(nil)

  func newest() throws(Vacancy) -> Value {
    guard let value = content.withLock({ $0 }) else { throw Vacancy() }
    return value
  }

  func clear() { _ = replace(with: nil) }

  private func replace(with value: Value?) -> Value? {
    content.withLock { content in
      defer { content = value }
      return content
    }
  }

  /// Subscribes to an input; each of its values makes the node send the newest values.
  func fill<Output>(
    from input: any ValueStream<Value>, for node: SharedNode<Output>, in epoch: Int,
    _ newest: @escaping @Sendable () -> Output?
  ) -> Connection {
    let sink = Sink<Value>(wantsFinalValue: false) { [weak node] value in
      // The former value is released when no lock is held any more.
      var former: Value?
      node?.place(in: epoch) {
        former = self.replace(with: value)
        return newest()
      }
      _ = consume former
    }
    return input.subscribe(sink)
  }
}
