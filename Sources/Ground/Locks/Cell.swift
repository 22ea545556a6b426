/// A value stored in place at a fixed address, to which the kernel or C code may point while its
/// owner lives.
@_rawLayout(like: Value, movesAsLike)
@usableFromInline
struct Cell<Value>: ~Copyable, @unchecked Sendable {
  // Safe: it hands out its address and never accesses the value itself.
  @inlinable @inline(__always)
  init(_ value: consuming Value) {
    address.initialize(to: value)
  }

  @inlinable
  deinit { address.deinitialize(count: 1) }

  /// The address of the value. A cell is never moved while pointers to it exist: an object, or a
  /// lock in an object, owns it.
  @inlinable @inline(__always)
  var address: UnsafeMutablePointer<Value> {
    // A raw pointer comes out of the closure: for another the metadata would be looked up.
    let place = withUnsafePointer(to: self) { UnsafeRawPointer($0) }
    return UnsafeMutableRawPointer(mutating: place).assumingMemoryBound(to: Value.self)
  }
}
