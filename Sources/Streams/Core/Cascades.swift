/// Counts what was set off by what: a value, all that sinks sent while it was delivered, all that
/// was sent while those were delivered, and so on, are one cascade.
package struct Cascades: Sendable {
  /// How many values a cascade may have, the one that began it included; at least 1.
  package var limit: Int {
    didSet { limit = max(limit, 1) }
  }

  /// Sizes by the place of the value that began the cascade; a cascade of one has no entry.
  private var sizes: [UInt64: Int] = [:]
  private var purgeAt = 64

  /// Counts nothing so far.
  package init(limit: Int) {
    self.limit = max(limit, 1)
  }

  /// Adds one value to the cascade that began at `root`; false when it is full.
  package mutating func grow(_ root: UInt64) -> Bool {
    let size = sizes[root] ?? 1
    guard size < limit else { return false }
    sizes[root] = size + 1
    return true
  }

  /// Whether it is time to forget those that have ended.
  package var needsPurge: Bool { sizes.count >= purgeAt }

  /// Forgets the cascades that have ended.
  package mutating func keepOnly(_ roots: Set<UInt64>) {
    sizes = sizes.filter { roots.contains($0.key) }
    purgeAt = max(64, sizes.count * 2)
  }

  /// Forgets all.
  package mutating func forgetAll() {
    if !sizes.isEmpty { sizes = [:] }
  }
}
