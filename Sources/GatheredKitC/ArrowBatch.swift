import CGatheredKit
import Recording

extension TableBatch {
  /// The record batch, which owns all it points to; nil without memory.
  func exported() -> ArrowArray? {
    let rowTimes = [times, boots].map { ColumnValues(integers: $0) }
    let all = rowTimes + columns
    return arrowArray(length: rowCount, children: all.count) {
      all[$0].exported(rowCount: rowCount)
    } buffers: { _ in
      [nil]
    }
  }
}

extension ColumnValues {
  fileprivate func exported(rowCount: Int) -> ArrowArray? {
    if case .numbers(let numbers, let width) = content, width > 1 {
      return arrowArray(length: rowCount, nulls: missingCount, children: 1) { _ in
        arrowArray(length: numbers.count) { [nil, $0.buffer(numbers)] }
      } buffers: {
        [validBits(in: $0)]
      }
    }
    return arrowArray(length: rowCount, nulls: missingCount) { arena in
      let valid = validBits(in: arena)
      switch content {
      case .bits(let bits): return [valid, arena.buffer(bits)]
      case .integers(let numbers): return [valid, arena.buffer(numbers)]
      case .numbers(let numbers, _): return [valid, arena.buffer(numbers)]
      case .bytes(let bytes, let starts):
        return [valid, arena.buffer(starts), arena.buffer(bytes)]
      }
    }
  }

  private func validBits(in arena: Arena) -> UnsafeRawPointer? {
    validity.isEmpty ? nil : arena.buffer(validity)
  }
}

extension Arena {
  /// A copy of numbers, aligned as any of them needs.
  fileprivate func buffer<Number>(_ numbers: [Number]) -> UnsafeRawPointer? {
    numbers.withUnsafeBytes { UnsafeRawPointer(copy($0)) }
  }
}

/// An array of buffers, which it owns; nil without memory. The first buffer may be nil: all rows
/// have a value then.
private func arrowArray(
  length: Int, nulls: Int = 0, children count: Int = 0,
  _ child: (Int) -> ArrowArray? = { _ in nil }, buffers: (Arena) -> [UnsafeRawPointer?]
) -> ArrowArray? {
  let arena = Arena()
  let buffers = buffers(arena)
  let isWhole = buffers.dropFirst().allSatisfy { $0 != nil } && (nulls == 0 || buffers[0] != nil)
  guard isWhole, let list = buffers.withUnsafeBytes({ arena.copy($0) }),
    let children = arena.structs(count, child, releaseArray)
  else { return nil }
  return ArrowArray(
    length: Int64(length), null_count: Int64(nulls), offset: 0, n_buffers: Int64(buffers.count),
    n_children: Int64(count), buffers: list.assumingMemoryBound(to: UnsafeRawPointer?.self),
    children: children.pointers, dictionary: nil, release: releaseArray,
    // Given back by `releaseArray`, once.
    private_data: Unmanaged.passRetained(arena).toOpaque())
}

/// Releases an array and those of its children that the consumer has not moved away.
private func releaseArray(_ array: UnsafeMutablePointer<ArrowArray>?) {
  guard let array, let own = array.pointee.private_data else { return }
  for index in 0..<Int(array.pointee.n_children) {
    guard let child = array.pointee.children?[index] else { continue }
    child.pointee.release?(child)
  }
  array.pointee.release = nil
  array.pointee.private_data = nil
  Unmanaged<Arena>.fromOpaque(own).release()
}
