public import CLinux

/// State behind a lock: the one lock of this package (Decisions/0001).
///
/// The body of `withLock` makes decisions, never calls out, and frees nothing that has a deinit of
/// its own: it returns closures, objects and containers of them to the caller, or moves them to its
/// bin. A lock stores no thread, so a forked child may use a lock that was free at the fork. Debug
/// builds end the process when a thread takes a lock it already holds, or takes one against the
/// order of `LockRank`.
@frozen
public struct Lock<State>: ~Copyable, @unchecked Sendable {
  // Safe: `state` is accessed only between lock and unlock of `word`. It comes first because the
  // thread sanitizer reports a change of it at the lock's own address; `word`, which threads change
  // concurrently, must not be there.
  @usableFromInline let state: Cell<State>
  @usableFromInline let word: Cell<UInt32>
  #if DEBUG
    @usableFromInline let rank: LockRank
  #endif

  /// Makes a lock that guards an initial state, which nothing else refers to.
  @inlinable
  public init(_ state: sending State, rank: LockRank = .leaf) {
    self.state = Cell(state)
    word = Cell(0)
    #if DEBUG
      self.rank = rank
    #endif
  }

  /// Runs a body with exclusive access to the state. What the body returns lives until the lock is
  /// free, also where the caller does not use it.
  @inlinable @inline(__always)
  public borrowing func withLock<Answer, Failure: Error>(
    file: StaticString = #fileID, line: UInt32 = #line,
    _ body: (inout State) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    lock(file, line)
    // A constant, because optimized code releases an unused result before it runs a `defer`.
    let answer: Answer
    do throws(Failure) {
      answer = try body(&state.address.pointee)
    } catch {
      unlock()
      throw error
    }
    unlock()
    return answer
  }

  @inlinable @inline(__always)
  borrowing func lock(_ file: StaticString, _ line: UInt32) {
    #if DEBUG
      note(file, line)
    #endif
    clinux_lock(word.address)
  }

  @inlinable @inline(__always)
  borrowing func unlock() {
    #if DEBUG
      clinux_forget_lock(word.address)
    #endif
    clinux_unlock(word.address)
  }

  #if DEBUG
    /// Checks that the calling thread may take the lock, and records that it holds it.
    @usableFromInline
    borrowing func note(_ file: StaticString, _ line: UInt32) {
      let name = UnsafeRawPointer(file.utf8Start).assumingMemoryBound(to: CChar.self)
      clinux_check_lock(
        clinux_held_lock(word: word.address, file: name, line: line, rank: rank.rawValue))
    }
  #endif
}
