import GatheredKitTesting
import Ground
import Streams
import Synchronization

/// A reference that sinks and tests share.
final class Box<Content: Sendable>: Sendable {
  private let content = Lock<Content?>(nil)
  var value: Content? {
    get { content.withLock { $0 } }
    set {
      let former = content.withLock { content in
        defer { content = newValue }
        return content
      }
      _ = former
    }
  }
}

/// A number that sinks count up.
final class Counter: Sendable {
  private let number = Atomic<Int>(0)
  var count: Int { number.load(ordering: .sequentiallyConsistent) }
  @discardableResult
  func increment() -> Int {
    number.add(1, ordering: .sequentiallyConsistent).newValue
  }
  func decrement() { number.subtract(1, ordering: .sequentiallyConsistent) }
}

extension CollectingSink {
  func add(_ value: Value) {
    let signal = Signal<Value>()
    let connection = signal.collect(into: self)
    signal.send(value)
    connection.disconnect()
  }
}
