import Ground

/// A change that can be merged with the one after it.
protocol MergeableChange: Sendable {
  /// Whether nothing has changed.
  var isEmpty: Bool { get }

  /// This change and the one after it, as one.
  func merged(with later: Self) -> Self
}

extension ArrayChange: MergeableChange {}
extension SetChange: MergeableChange {}

extension MergeableChange {
  /// Changes one after the other, as one; nil of none.
  ///
  /// Halves are merged, so that many cost little more than few.
  static func merged(_ changes: ArraySlice<Self>) -> Self? {
    guard changes.count > 1 else { return changes.first }
    let middle = changes.startIndex + changes.count / 2
    guard let first = merged(changes[..<middle]), let last = merged(changes[middle...]) else {
      return nil
    }
    return first.merged(with: last)
  }
}

/// The changes of each transaction as one, which is sent unless it is empty.
struct MergedSteps<Change: MergeableChange>: ValueStream {
  let updates: any ValueStream<TransactionEvent<Change>>

  func subscribe(_ sink: Sink<Change>) -> Connection {
    let steps = Lock<[Change]>([])
    let take = { @Sendable in
      steps.withLock { steps in
        defer { steps = [] }
        return steps
      }
    }
    return updates.subscribe(
      Sink(wantsFinalValue: sink.wantsFinalValue) { event in
        switch event {
        case .begin: _ = take()
        case .change(let change): steps.withLock { $0.append(change) }
        case .end:
          if let merged = Change.merged(take()[...]), !merged.isEmpty { sink.receive(merged) }
        }
      })
  }
}
