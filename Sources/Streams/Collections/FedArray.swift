/// A list whose elements are kept elsewhere. It is read by `list`, and watched while observed.
///
/// `watch` calls its argument when the list may have changed; the watch ends when the object that
/// it returns is released. Elements with equal keys are versions of one element.
package func fedArray<Element: Sendable, Key: Hashable>(
  by key: @escaping @Sendable (Element) -> Key,
  isSame: @escaping @Sendable (Element, Element) -> Bool,
  list: @escaping @Sendable () -> [Element],
  watch: @escaping @Sendable (@escaping @Sendable () -> Void) -> (any AnyObject & Sendable)?
) -> ArrayView<Element> {
  ArrayView(
    moments: DerivedValue(
      Derivation(
        present: { ArrayMoment(SharedList(list())) },
        phase: { TransactionPhase() },
        attach: { inputSubscription in
          let (array, lookups) = (ArrayVariable<Element>(), SerialEventQueue<Void>())
          // One at a time, or an older list could follow a newer one.
          let refresh = { @Sendable in
            lookups.pass(()) { _, _ in try? array.update(to: list(), by: key, isSame: isSame) }
          }
          let keeper = watch(refresh)
          refresh()
          let latest = inputSubscription.subscribe(to: array.moments)
          return { withExtendedLifetime(keeper) { latest.value } }
        },
        isNews: { $0.number != $1.number })))
}
