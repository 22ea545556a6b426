import Machine

/// Whether the calling thread is inside a callback of any context. Such a thread never waits for
/// another callback to end, which could be waiting for it.
enum CallbackDepth {
  static var isInside: Bool { ThreadDepth.value > 0 }
  static func enter() { ThreadDepth.add(1) }
  static func leave() { ThreadDepth.add(-1) }
}
