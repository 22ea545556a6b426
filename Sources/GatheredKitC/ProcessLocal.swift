import CLinux
import Synchronization

/// A value of which each process has its own: after a fork the child makes a new one and never
/// touches the parent's, whose lock may stay shut for ever.
struct ProcessLocal<Value: Sendable>: @unchecked Sendable {
  // Safe: a box is immutable once its address is stored, and never freed.
  private struct Box {
    let generation: UInt32
    let value: Value
  }

  private let current: UnsafeMutablePointer<Atomic<UnsafeMutablePointer<Box>?>>
  private let make: @Sendable (UInt32) -> Value

  /// The value is made when first asked for, and told how often the process image was forked.
  init(_ make: @escaping @Sendable (UInt32) -> Value) {
    current = .allocate(capacity: 1)
    current.initialize(to: Atomic(nil))
    self.make = make
  }

  /// How often the image of this process was forked.
  static var generation: UInt32 { clinux_fork_generation() }

  /// The value of this process.
  var value: Value {
    let generation = Self.generation
    if let box = current.pointee.load(ordering: .acquiring), box.pointee.generation == generation {
      return box.pointee.value
    }
    return replace(generation)
  }

  @inline(never)
  private func replace(_ generation: UInt32) -> Value {
    let new = UnsafeMutablePointer<Box>.allocate(capacity: 1)
    new.initialize(to: Box(generation: generation, value: make(generation)))
    var seen = current.pointee.load(ordering: .acquiring)
    while true {
      if let seen, seen.pointee.generation == generation {
        new.deinitialize(count: 1)
        new.deallocate()
        return seen.pointee.value
      }
      let (isStored, found) = current.pointee.compareExchange(
        expected: seen, desired: new, ordering: .acquiringAndReleasing)
      if isStored { return new.pointee.value }
      seen = found
    }
  }
}
