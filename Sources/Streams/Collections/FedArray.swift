import Ground

/// A list whose elements are kept elsewhere, part by part. It is read by `list`, and followed while
/// it is observed.
///
/// `news` returns the parts that are others than the numbers say, in order, and notes their present
/// numbers, which begin as 0. `watch` calls its argument when there may be any; the watch ends when
/// the object that it returns is released. Elements with equal keys are versions of one element.
package func fedArray<Element: Sendable, Key: Hashable>(
  of parts: Int,
  by key: @escaping @Sendable (Element) -> Key,
  isSame: @escaping @Sendable (Element, Element) -> Bool,
  list: @escaping @Sendable () -> [Element],
  news: @escaping @Sendable (_ since: inout [UInt64]) -> [(part: Int, elements: [Element])],
  watch: @escaping @Sendable (@escaping @Sendable () -> Void) -> (any AnyObject & Sendable)?
) -> ArrayView<Element> {
  ArrayView(
    moments: DerivedValue(
      Derivation(
        present: { ArrayMoment(SharedList(list())) },
        phase: { TransactionPhase() },
        attach: { inputSubscription in
          let (array, lookups) = (ArrayVariable<Element>(), SerialEventQueue<Void>())
          let known = OperatorMemory(FedParts(count: parts))
          // One at a time, or older news could follow newer ones.
          let refresh = { @Sendable in
            lookups.pass(()) { _, _ in
              let changed = known.update { $0.take(news) }
              try? array.update(parts: changed ?? [], by: key, isSame: isSame)
            }
          }
          let keeper = watch(refresh)
          refresh()
          let latest = inputSubscription.subscribe(to: array.moments)
          return { withExtendedLifetime(keeper) { latest.value } }
        },
        isNews: { $0.number != $1.number })))
}

/// What is known of the parts of a list.
private struct FedParts: Sendable {
  private var numbers: [UInt64]
  private var counts: [Int]

  init(count: Int) {
    numbers = Array(repeating: 0, count: count)
    counts = Array(repeating: 0, count: count)
  }

  /// Where the parts that are others were, and what they are now.
  mutating func take<Element>(
    _ news: (inout [UInt64]) -> [(part: Int, elements: [Element])]
  ) -> [(range: Range<Int>, new: [Element])] {
    var (start, next) = (0, 0)
    return news(&numbers).map { part, elements in
      start += counts[next..<part].reduce(0, +)
      let range = start..<(start + counts[part])
      (start, next) = (range.upperBound, part + 1)
      counts[part] = elements.count
      return (range, elements)
    }
  }
}
