import Ground

/// What getters lend: each thread has one place for each function of an object, and the next call
/// of that function on that thread takes it back (C API R2).
final class ThreadArenas: Sendable {
  /// The functions that lend.
  enum Function: Hashable, Sendable {
    case info
    case propertyInfo
    case rates
    case value
    case values
    case reading
  }

  private struct Key: Hashable {
    let thread: UInt
    let function: Function
  }

  private let arenas = Monitor<[Key: Arena]>([:])

  /// The calling thread's arena for a function, emptied.
  func arena(for function: Function) -> Arena {
    let key = Key(thread: CurrentThread.identity, function: function)
    let arena = arenas.withLock { arenas in
      if let arena = arenas[key] { return arena }
      let arena = Arena()
      arenas[key] = arena
      return arena
    }
    arena.clear()
    return arena
  }
}

/// Registrations without a connection of the host's: they live as long as their parent.
final class FloatingTokens: Sendable {
  private let tokens = Monitor<[any Sendable]>([])

  /// Keeps a token.
  func keep(_ token: any Sendable) { tokens.withLock { $0.append(token) } }
}
