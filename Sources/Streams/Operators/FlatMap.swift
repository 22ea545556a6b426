import Synchronization

extension ValueStream {
  /// The elements of each transformed value, in order.
  ///
  /// `transform` is called once per subscription and value, on the thread that delivers. A sink
  /// that leaves between two elements gets no further one.
  public func flatMap<Elements: Sequence & SendableMetatype>(
    _ transform: @escaping @Sendable (Value) -> Elements
  ) -> any ValueStream<Elements.Element>
  where Elements.Element: Sendable, Elements.Iterator: SendableMetatype {
    FlatMapped(input: self) { value, send in
      for element in transform(value) {
        guard send(element) else { return }
      }
    }
  }
}

private struct FlatMapped<Input: Sendable, Element: Sendable>: ValueStream {
  let input: any ValueStream<Input>
  /// Sends one element after another, until `send` answers that the subscriber has left.
  let unfold: @Sendable (Input, _ send: (Element) -> Bool) -> Void

  func subscribe(_ sink: Sink<Element>) -> Connection {
    let flag = LeftFlag()
    let connection = input.subscribe(
      Sink(wantsFinalValue: sink.wantsFinalValue) { [unfold] value in
        // A final value comes after the departure and is sent in full.
        let hadLeft = flag.hasLeft
        unfold(value) { element in
          guard flag.hasLeft == hadLeft else { return false }
          sink.receive(element)
          return true
        }
      })
    return Connection(closing: FlaggedConnection(connection, flag))
  }
}

/// Whether a subscriber has left, for the loop that is giving it one element after another.
private final class LeftFlag: Sendable {
  private let value = Atomic<Bool>(false)

  var hasLeft: Bool { value.load(ordering: .sequentiallyConsistent) }

  func leave() { value.store(true, ordering: .sequentiallyConsistent) }
}

/// Closes a connection, and sets a flag before.
private final class FlaggedConnection: Closable {
  private let connection: Connection
  private let flag: LeftFlag

  init(_ connection: Connection, _ flag: LeftFlag) {
    self.connection = connection
    self.flag = flag
  }

  var isOpen: Bool { connection.isConnected }

  func close() {
    flag.leave()
    connection.disconnect()
  }
}
