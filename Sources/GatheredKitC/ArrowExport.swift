import CGatheredKit
import Recording

extension ArrowField {
  /// The struct, which owns all it points to; nil without memory.
  func exported() -> ArrowSchema? {
    let arena = Arena()
    guard let format = arena.text(format), let name = arena.text(name),
      let children = arena.structs(children.count, { children[$0].exported() }, releaseSchema)
    else { return nil }
    let metadata = encodedMetadata.flatMap { arena.buffer($0) }
    return ArrowSchema(
      format: format, name: name, metadata: metadata?.assumingMemoryBound(to: CChar.self),
      flags: isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0, n_children: Int64(self.children.count),
      children: children.pointers, dictionary: nil, release: releaseSchema,
      // Given back by `releaseSchema`, once.
      private_data: Unmanaged.passRetained(arena).toOpaque())
  }
}

/// Releases a schema and those of its children that the consumer has not moved away.
private func releaseSchema(_ schema: UnsafeMutablePointer<ArrowSchema>?) {
  guard let schema, let own = schema.pointee.private_data else { return }
  for index in 0..<Int(schema.pointee.n_children) {
    guard let child = schema.pointee.children?[index] else { continue }
    child.pointee.release?(child)
  }
  schema.pointee.release = nil
  schema.pointee.private_data = nil
  Unmanaged<Arena>.fromOpaque(own).release()
}

extension ArrowColumn {
  /// The struct, which owns all it points to; nil without memory.
  func exported() -> ArrowArray? {
    let arena = Arena()
    let valid = validity.isEmpty ? nil : arena.buffer(validity)
    if valid == nil && missingCount > 0 { return nil }
    var all = [valid]
    for buffer in buffers {
      guard let copy = arena.buffer(buffer) else { return nil }
      all.append(copy)
    }
    guard let list = all.withUnsafeBytes({ arena.copy($0) }),
      let children = arena.structs(children.count, { children[$0].exported() }, releaseArray)
    else { return nil }
    return ArrowArray(
      length: Int64(rowCount), null_count: Int64(missingCount), offset: 0,
      n_buffers: Int64(all.count), n_children: Int64(self.children.count),
      buffers: list.assumingMemoryBound(to: UnsafeRawPointer?.self),
      children: children.pointers, dictionary: nil, release: releaseArray,
      // Given back by `releaseArray`, once.
      private_data: Unmanaged.passRetained(arena).toOpaque())
  }
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

extension Arena {
  /// A copy of a buffer, aligned as any number needs.
  fileprivate func buffer(_ buffer: ArrowColumn.Buffer) -> UnsafeRawPointer? {
    switch buffer {
    case .bytes(let bytes): self.buffer(bytes)
    case .integers(let numbers): self.buffer(numbers)
    case .numbers(let numbers): self.buffer(numbers)
    case .starts(let starts): self.buffer(starts)
    }
  }

  fileprivate func buffer<Number>(_ numbers: [Number]) -> UnsafeRawPointer? {
    numbers.withUnsafeBytes { UnsafeRawPointer(copy($0)) }
  }

  /// Structs of the Arrow C data interface that lie in the arena, and the pointers to them; nil
  /// without memory, and those made are released.
  fileprivate func structs<Made>(
    _ count: Int, _ make: (Int) -> Made?, _ release: (UnsafeMutablePointer<Made>?) -> Void
  ) -> ArrowChildren<Made>? {
    if count == 0 { return ArrowChildren(pointers: nil) }
    var made: [Made] = []
    for index in 0..<count {
      guard let next = make(index) else { break }
      made.append(next)
    }
    let place = made.withUnsafeBytes { copy($0) }?.assumingMemoryBound(to: Made.self)
    let pointers = place.map { place in (0..<made.count).map { Optional(place + $0) } } ?? []
    let list = pointers.withUnsafeBytes { copy($0) }
    guard made.count == count, place != nil, let list else {
      for index in made.indices { release(&made[index]) }
      return nil
    }
    return ArrowChildren(
      pointers: list.assumingMemoryBound(to: UnsafeMutablePointer<Made>?.self))
  }
}

/// The children of a struct; nil for none.
private struct ArrowChildren<Made> {
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Made>?>?
}
