/// Counts what was set off by what: an entry of a queue, all that was added while it was carried
/// out, all that was added while those were carried out, and so on, are one cascade.
public struct Cascades: Sendable {
  /// How many entries a cascade may have, the one that began it included; at least 1.
  public var limit: Int {
    didSet { limit = max(limit, 1) }
  }

  /// Sizes by the number of the entry that began the cascade; a cascade of one has no size here.
  @usableFromInline var sizes: [UInt64: Int] = [:]
  private var purgeAt = 64

  /// Counts nothing so far.
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

  /// Whether it is time to forget those that have ended.
  public var needsPurge: Bool { sizes.count >= purgeAt }

  /// Forgets the cascades that have ended.
  public mutating func keepOnly(_ roots: Set<UInt64>) {
    sizes = sizes.filter { roots.contains($0.key) }
    purgeAt = max(64, sizes.count * 2)
  }

  /// Forgets all.
  @inlinable
  public mutating func forgetAll() {
    if !sizes.isEmpty { sizes = [:] }
  }
}
