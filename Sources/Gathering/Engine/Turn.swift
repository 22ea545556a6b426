import CLinux
import Ground
import Synchronization

/// Who runs the callbacks of a context, and which listener is being called.
///
/// The turn is one word: the thread that has it, or 0. The thread that has it writes down the
/// listener it calls before it looks whether that has ended; a thread that ends a listener marks it
/// before it looks which one is called. A barrier between the two steps lets one of them see the
/// other: Decisions/0019-The-turn.md.
final class Turn: Sendable {
  /// The result of asking for the turn.
  enum Grant: Sendable {
    /// The thread had the turn already.
    case held
    /// It has it now, and gives it back.
    case taken
    /// Another thread has it.
    case refused
  }

  /// The identity of the thread that has the turn, with `waited` while others wait for it.
  private let owner = Atomic<UInt>(0)
  /// The address of the word of the listener being called; 0 while none is.
  private let position = Atomic<UInt>(0)
  /// Whether the kernel makes the barrier of both sides, so that a call needs none.
  private let hasBarrier = clinux_barrier_prepare()

  // Identities of threads are addresses of aligned structures.
  private static let waited: UInt = 1

  // MARK: Taking and giving

  /// Whether the calling thread has the turn.
  var isMine: Bool { owner.load(ordering: .relaxed) & ~Self.waited == CurrentThread.identity }

  /// Whether no thread has the turn.
  var isFree: Bool { owner.load(ordering: .sequentiallyConsistent) == 0 }

  /// Takes the turn if it is free.
  @inline(__always)
  func tryTake() -> Grant {
    let here = CurrentThread.identity
    if owner.load(ordering: .relaxed) & ~Self.waited == here { return .held }
    let (isTaken, _) = owner.compareExchange(
      expected: 0, desired: here, ordering: .sequentiallyConsistent)
    return isTaken ? .taken : .refused
  }

  /// Notes that a thread waits for the turn; false if it is free by now.
  func announceWait() -> Bool {
    var seen = owner.load(ordering: .sequentiallyConsistent)
    while seen != 0 {
      if seen & Self.waited != 0 { return true }
      let (isNoted, now) = owner.compareExchange(
        expected: seen, desired: seen | Self.waited, ordering: .sequentiallyConsistent)
      if isNoted { return true }
      seen = now
    }
    return false
  }

  /// Gives the turn back; whether threads wait for it.
  @inline(__always)
  func give() -> Bool {
    owner.exchange(0, ordering: .sequentiallyConsistent) & Self.waited != 0
  }

  // MARK: Calling

  /// Writes down which listener is called next, on the thread that has the turn.
  @inline(__always)
  func move(to word: UInt) {
    if hasBarrier {
      position.store(word, ordering: .releasing)
    } else {
      _ = position.exchange(word, ordering: .sequentiallyConsistent)
    }
  }

  /// The listener that is being called by this thread, which has the turn; 0 while none is.
  @inline(__always)
  var present: UInt { position.load(ordering: .relaxed) }

  /// Makes what this thread has marked visible to the thread that has the turn, and shows which
  /// listener that calls.
  func observe() {
    let now = owner.load(ordering: .sequentiallyConsistent) & ~Self.waited
    // A thread that takes the turn later sees the mark.
    if now == 0 || now == CurrentThread.identity { return }
    if hasBarrier { clinux_barrier() }
  }

  /// Whether a listener is being called, by itself or around the call of another.
  ///
  /// For a thread that has marked the listener or its session, and then observed.
  func calls(_ listener: Listener) -> Bool {
    // In this order: a call around another one is marked before the position changes, and the mark
    // stays until it has returned.
    position.load(ordering: .sequentiallyConsistent) == listener.address || listener.isAround
  }
}
