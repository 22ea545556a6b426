/// A queue of entries that one thread at a time carries out, in the order they were added, with a
/// limit to what they set off.
///
/// An entry that the draining thread adds, while it carries out another, joins the cascade of that
/// one; any other entry begins a cascade of its own. The queue only decides: its owner guards it
/// with a lock and carries the entries out where no lock is held.
@usableFromInline
package struct SerialQueue<Element: Sendable>: Sendable {
  /// An entry, its number in the order, and the number of the one that began its cascade.
  @usableFromInline
  package struct Entry: Sendable {
    @usableFromInline package let number: UInt64
    @usableFromInline let root: UInt64
    @usableFromInline package let element: Element

    @inlinable
    init(number: UInt64, root: UInt64, element: Element) {
      self.number = number
      self.root = root
      self.element = element
    }
  }

  /// What waits, oldest first.
  @usableFromInline
  package typealias Waiting = FIFO<Entry>

  @usableFromInline var waiting = Waiting()
  @usableFromInline var cascades: Cascades
  /// The number that was given last, 0 before the first.
  @usableFromInline
  package private(set) var lastNumber: UInt64 = 0
  /// The thread that drains, or 0.
  @usableFromInline var drainer: UInt = 0
  /// The cascade of the entry that is carried out; stale while the queue is idle.
  @usableFromInline
  package private(set) var currentRoot: UInt64 = 0

  /// Makes an empty queue whose cascades may have that many entries, at least 1.
  @inlinable
  package init(cascadeLimit: Int) {
    cascades = Cascades(limit: cascadeLimit)
  }

  /// How many entries one cascade may have, the one that began it included; at least 1.
  @inlinable
  package var cascadeLimit: Int {
    get { cascades.limit }
    set { cascades.limit = newValue }
  }

  /// Whether nothing waits.
  @inlinable package var isEmpty: Bool { waiting.isEmpty }

  // MARK: The thread that drains

  /// Whether a thread drains: between `start` and `stop`.
  @inlinable package var isDraining: Bool { drainer != 0 }

  /// Whether the calling thread drains, and so is inside an entry.
  ///
  /// An owner that learns elsewhere when a drain has ended, and never calls `stop`, asks only while
  /// a drain runs.
  @inlinable package var isInside: Bool { drainer == CurrentThread.identity }

  /// Notes that the calling thread starts to drain.
  @inlinable
  package mutating func start() {
    drainer = CurrentThread.identity
    cascades.forgetAll()
  }

  /// Notes that no thread drains any more.
  @inlinable
  package mutating func stop() { drainer = 0 }

  /// Takes a number for an entry that does not wait: the calling thread carries it out now.
  @inlinable
  package mutating func enter() -> UInt64 {
    currentRoot = takeNumber()
    return currentRoot
  }

  /// Takes out the entry that has waited longest, to be carried out now.
  @inlinable
  package mutating func next() -> Entry? {
    guard let entry = waiting.popFirst() else { return nil }
    currentRoot = entry.root
    return entry
  }

  /// The same, if its number is not greater than `number`.
  @inlinable
  package mutating func next(through number: UInt64) -> Entry? {
    guard let first = waiting.first, first.number <= number else { return nil }
    return next()
  }

  // MARK: What is added

  /// Takes the next number of the order.
  @inlinable
  package mutating func takeNumber() -> UInt64 {
    lastNumber &+= 1
    return lastNumber
  }

  /// The cascade of an entry that is not counted.
  @inlinable
  package func root(isInside: Bool) -> UInt64 {
    isInside ? currentRoot : lastNumber &+ 1
  }

  /// The cascade of an entry that is counted, whose number must be the next that is taken; nil when
  /// the cascade is full.
  @inlinable
  package mutating func admit(isInside: Bool) -> UInt64? {
    guard isInside else { return lastNumber &+ 1 }
    if cascades.needsPurge { purgeCascades() }
    return cascades.grow(currentRoot) ? currentRoot : nil
  }

  /// Adds an entry of a cascade and answers its number.
  @inlinable
  @discardableResult
  package mutating func append(_ element: Element, root: UInt64) -> UInt64 {
    let number = takeNumber()
    waiting.append(Entry(number: number, root: root, element: element))
    return number
  }

  // MARK: What is taken back

  /// Takes out all that waits, for the caller to let go where no lock is held.
  @inlinable
  package mutating func takeAll() -> Waiting {
    defer { waiting = Waiting() }
    return waiting
  }

  /// Takes out the newest entries that are not wanted, as many as `count`, for the caller to let
  /// go. What is older than all of them is not looked at.
  @inlinable
  package mutating func removeNewest(
    _ count: Int, where isUnwanted: (Element) -> Bool
  ) -> [Element] {
    waiting.removeNewest(count) { isUnwanted($0.element) }.map(\.element)
  }

  @usableFromInline
  mutating func purgeCascades() {
    var roots: Set<UInt64> = [currentRoot]
    waiting.forEach { roots.insert($0.root) }
    cascades.keepOnly(roots)
  }
}
