/// An entry of a serial queue.
public protocol SerialEntry: Sendable {
  /// The number of the entry that began its cascade.
  var root: UInt64 { get }
}

/// A queue whose entries one thread at a time carries out in the order they were added, with a
/// limit on the cascade of each.
///
/// An entry that the draining thread adds while it carries out another joins the cascade of that
/// one; any other entry begins its own cascade. The queue only decides: its owner guards it with a
/// lock and carries out entries without a lock.
public struct SerialQueue<Entry: SerialEntry>: Sendable {
  @usableFromInline var waiting = FIFO<Entry>()
  @usableFromInline var cascades: Cascades
  @usableFromInline var number: UInt64 = 0
  /// The identity of the draining thread, or 0.
  @usableFromInline var drainer: UInt = 0
  @usableFromInline var cascade: UInt64 = 0

  /// Makes an empty queue with a limit on the entries of a cascade, at least 1.
  @inlinable @inline(__always)
  public init(cascadeLimit: Int) {
    cascades = Cascades(limit: cascadeLimit)
  }

  /// The most entries of a cascade, including the one that began it; at least 1.
  @inlinable @inline(__always)
  public var cascadeLimit: Int {
    get { cascades.limit }
    set { cascades.limit = newValue }
  }

  /// Whether no entry is queued.
  @inlinable @inline(__always)
  public var isEmpty: Bool { waiting.isEmpty }
  /// The oldest queued entry.
  @inlinable @inline(__always)
  public var first: Entry? { waiting.first }

  /// The number taken last; 0 before the first.
  @inlinable @inline(__always)
  public var lastNumber: UInt64 { number }

  /// The cascade of the entry being carried out; stale while the queue is idle.
  @inlinable @inline(__always)
  public var currentRoot: UInt64 { cascade }

  // MARK: The thread that drains

  /// Whether a thread is draining: between `start` and `stop`.
  @inlinable @inline(__always)
  public var isDraining: Bool { drainer != 0 }

  /// Whether the calling thread is draining, and therefore inside an entry.
  ///
  /// An owner that never calls `stop`, because it knows by other means when a drain has ended, asks
  /// only while a drain runs.
  @inlinable @inline(__always)
  public var isInside: Bool { drainer == CurrentThread.identity }

  /// Notes that the calling thread starts to drain.
  @inlinable @inline(__always)
  public mutating func start() {
    drainer = CurrentThread.identity
    cascades.forgetAll()
  }

  /// Notes that no thread drains any more.
  @inlinable @inline(__always)
  public mutating func stop() { drainer = 0 }

  /// Takes a number for an entry that is not queued: the calling thread carries it out now.
  @inlinable @inline(__always)
  public mutating func enter() -> UInt64 {
    cascade = takeNumber()
    return cascade
  }

  /// Removes the oldest entry, to be carried out now.
  @inlinable @inline(__always)
  public mutating func next() -> Entry? {
    guard let entry = waiting.popFirst() else { return nil }
    cascade = entry.root
    return entry
  }

  // MARK: What is added

  /// Takes the next number of the order.
  @inlinable @inline(__always)
  public mutating func takeNumber() -> UInt64 {
    number &+= 1
    return number
  }

  /// The cascade of an entry that is not counted.
  @inlinable @inline(__always)
  public func root(isInside: Bool) -> UInt64 {
    isInside ? cascade : number &+ 1
  }

  /// The cascade of an entry that is counted; nil if the cascade is full. An entry from elsewhere
  /// begins a cascade with its own number, the next one taken.
  @inlinable @inline(__always)
  public mutating func admit(isInside: Bool) -> UInt64? {
    guard isInside else { return number &+ 1 }
    if cascades.needsPurge { purgeCascades() }
    return cascades.grow(cascade) ? cascade : nil
  }

  /// Whether an entry that is counted would be admitted.
  @inlinable
  public func hasRoom(isInside: Bool) -> Bool { !isInside || !cascades.isFull(cascade) }

  /// Adds an entry, for which a number has been taken.
  @inlinable @inline(__always)
  public mutating func append(_ entry: consuming Entry) {
    waiting.append(entry)
  }

  // MARK: What is taken back

  /// Removes all entries; the caller frees them where no lock is held.
  @inlinable
  public mutating func takeAll() -> FIFO<Entry> {
    defer { waiting = FIFO() }
    return waiting
  }

  /// Removes up to `count` of the newest entries that are not wanted; the caller frees them. Does
  /// not examine entries older than all of those.
  @inlinable
  public mutating func removeNewest(
    _ count: Int, where isUnwanted: (Entry) -> Bool
  ) -> [Entry] {
    waiting.removeNewest(count, where: isUnwanted)
  }

  @usableFromInline
  mutating func purgeCascades() {
    var roots: Set<UInt64> = [cascade]
    waiting.forEach { roots.insert($0.root) }
    cascades.keepOnly(roots)
  }
}
