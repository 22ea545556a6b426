/// Counts cascades: an entry of a queue, all entries added while it was carried out, all entries
/// added while those were carried out, and so on, are one cascade.
public struct Cascades: Sendable {
  /// The most entries of a cascade, including the one that began it; at least 1.
  public var limit: Int {
    didSet { limit = max(limit, 1) }
  }

  /// The cascade that grew last, and its size; 0 is none.
  @usableFromInline var present: UInt64 = 0
  @usableFromInline var size = 1
  /// The sizes of the others by the number of the entry that began each. A cascade of one is not
  /// stored.
  @usableFromInline var sizes: [UInt64: Int] = [:]
  @usableFromInline var purgeAt = 64

  /// Makes an empty count.
  public init(limit: Int) {
    self.limit = max(limit, 1)
  }

  /// Adds one entry to the cascade that began at `root`; false when it is full.
  @inlinable @inline(__always)
  public mutating func grow(_ root: UInt64) -> Bool {
    if root != present { turn(to: root) }
    guard size < limit else { return false }
    size &+= 1
    return true
  }

  /// Whether the cascade that began at `root` is full.
  public func isFull(_ root: UInt64) -> Bool {
    (root == present ? size : sizes[root] ?? 1) >= limit
  }

  @usableFromInline
  mutating func turn(to root: UInt64) {
    if size > 1 { sizes[present] = size }
    present = root
    size = sizes.isEmpty ? 1 : sizes.removeValue(forKey: root) ?? 1
  }

  /// Whether ended cascades should be removed.
  @inlinable
  public var needsPurge: Bool { sizes.count >= purgeAt }

  /// Removes all cascades but those that began at `roots`.
  public mutating func keepOnly(_ roots: Set<UInt64>) {
    sizes = sizes.filter { roots.contains($0.key) }
    purgeAt = max(64, sizes.count * 2)
  }

  /// Removes all cascades.
  @inlinable @inline(__always)
  public mutating func forgetAll() {
    (present, size) = (0, 1)
    if !sizes.isEmpty { sizes = [:] }
  }
}
