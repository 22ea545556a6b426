/// A value with an address of its own, in the place where it is stored: what the kernel, or code in
/// C, refers to for as long as its owner lives.
@_rawLayout(like: Value, movesAsLike)
@usableFromInline
struct Cell<Value>: ~Copyable, @unchecked Sendable {
  // Safe: it gives its address away and never looks at the value itself.
  @inlinable @inline(__always)
  init(_ value: consuming Value) {
    address.initialize(to: value)
  }

  @inlinable
  deinit { address.deinitialize(count: 1) }

  /// Where the value lives. A cell is never moved while it is referred to: it belongs to an object,
  /// or to a lock that does.
  @inlinable @inline(__always)
  var address: UnsafeMutablePointer<Value> {
    withUnsafePointer(to: self) {
      UnsafeMutableRawPointer(mutating: UnsafeRawPointer($0)).assumingMemoryBound(to: Value.self)
    }
  }
}
