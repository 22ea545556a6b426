import GatheredKitTesting
import Streams

/// Writes down what the views of one observable say, in a short notation.
///
/// `updates` reads `[` begin, `0>1` a change, `]` end.
final class Watch<Value: Sendable & Equatable>: Sendable {
  let bag = Connector()
  private let steps = CollectingSink<TransactionEvent<ValueChange<Value>>>()
  private let merged = CollectingSink<ValueChange<Value>>()
  private let collected = CollectingSink<Value>()
  private let ticked = Counter()

  init(_ observable: any ObservableValue<Value>) {
    observable.updates.collect(into: steps).put(into: bag)
    observable.changes.collect(into: merged).put(into: bag)
    observable.values.collect(into: collected).put(into: bag)
    observable.tick.subscribe { [ticked] in ticked.increment() }.put(into: bag)
  }

  var raw: [TransactionEvent<ValueChange<Value>>] { steps.values }
  var updates: String { steps.values.map(Self.text).joined(separator: " ") }
  var changes: [String] { merged.values.map { "\($0.old)>\($0.new)" } }
  var values: [Value] { collected.values }
  var ticks: Int { ticked.count }

  /// Forgets what has been written.
  func clear() {
    _ = steps.take()
    _ = merged.take()
    _ = collected.take()
  }

  private static func text(_ update: TransactionEvent<ValueChange<Value>>) -> String {
    switch update {
    case .begin: "["
    case .change(let change): "\(change.old)>\(change.new)"
    case .end: "]"
    }
  }
}
