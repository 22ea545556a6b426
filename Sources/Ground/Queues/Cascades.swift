/// Counts cascades: an entry of a queue, all entries added while it was carried out, all entries
/// added while those were carried out, and so on, are one cascade.
public struct Cascades: Sendable {
  /// The most entries of a cascade, including the one that began it; at least 1.
  public var limit: Int {
    didSet { limit = max(limit, 1) }
  }

  /// Cascade sizes by the number of the entry that began the cascade. A cascade of one is not
  /// stored.
  @usableFromInline var sizes: [UInt64: Int] = [:]
  private var purgeAt = 64

  /// Makes an empty count.
  public init(limit: Int) {
    self.limit = max(limit, 1)
  }

  /// Adds one entry to the cascade that began at `root`; false when it is full.
  public mutating func grow(_ root: UInt64) -> Bool {
    let size = sizes[root] ?? 1
    guard size < limit else { return false }
    sizes[root] = size + 1
    return true
  }

  /// Whether ended cascades should be removed.
  public var needsPurge: Bool { sizes.count >= purgeAt }

  /// Removes all cascades but those that began at `roots`.
  public mutating func keepOnly(_ roots: Set<UInt64>) {
    sizes = sizes.filter { roots.contains($0.key) }
    purgeAt = max(64, sizes.count * 2)
  }

  /// Removes all cascades.
  @inlinable
  public mutating func forgetAll() {
    if !sizes.isEmpty { sizes = [:] }
  }
}
