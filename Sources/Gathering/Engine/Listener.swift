package import CGatheredKit
import Ground
import Synchronization
import Values

/// A function of the C interface that gets the rows of an update.
package typealias RowFunction =
  @convention(c) (
    OpaquePointer?, UnsafePointer<gkit_sample>?, Int, UnsafeMutableRawPointer?
  ) -> Void

/// A function of the C interface that gets the rows of the newest reading of an update, and reads
/// the others from a batch.
package typealias BatchFunction =
  @convention(c) (
    OpaquePointer?, UnsafePointer<gkit_sample>?, Int, OpaquePointer?, Int, UnsafeMutableRawPointer?
  ) -> Void

/// A function of the C interface that gets samples of a stream.
package typealias SampleFunction =
  @convention(c) (UnsafePointer<gkit_sample>?, Int, UnsafeMutableRawPointer?) -> Void

/// A function of the C interface that makes a value of a sample of a stream, or drops it.
package typealias TransformFunction =
  @convention(c) (
    UnsafePointer<gkit_sample>?, UnsafeMutablePointer<gkit_value>?, UnsafeMutableRawPointer?
  ) -> Bool

/// One registration of a callback.
final class Listener: @unchecked Sendable {
  // Safe: all is constant but the word, which is atomic and freed with the object; the pointer of
  // the host is only passed back to it.

  enum Callback {
    case update(@Sendable (SourceUpdate) -> Void)
    case event(@Sendable (SourceEvent) -> Void)
    case rows(RowFunction, UnsafeMutableRawPointer?)
    case batch(BatchFunction, UnsafeMutableRawPointer?)
    case samples(SampleFunction, UnsafeMutableRawPointer?)
    case transform(TransformFunction, UnsafeMutableRawPointer?)
  }

  /// What a listener's word says.
  private enum Mark {
    /// No further call begins.
    static let ended: UInt32 = 1
    /// The objects of the callback have been released.
    static let finished: UInt32 = 2
    /// A thread waits until the running call has returned.
    static let waited: UInt32 = 4
    /// Another callback ran inside its call.
    static let around: UInt32 = 8
  }

  let callback: Callback
  /// Whether it calls the host, rather than something of ours that may.
  let isHost: Bool
  /// Whether the thread that calls it releases its objects once it has ended.
  let endsAfterCalls: Bool
  private let word: UnsafeMutablePointer<Atomic<UInt32>>
  private let onEnd: @Sendable () -> Void

  /// `onEnd` runs exactly once, after the last call.
  init(
    _ callback: Callback, isHost: Bool = true, endsAfterCalls: Bool = true,
    onEnd: @escaping @Sendable () -> Void
  ) {
    self.callback = callback
    self.isHost = isHost
    self.endsAfterCalls = endsAfterCalls
    self.onEnd = onEnd
    word = .allocate(capacity: 1)
    word.initialize(to: Atomic(0))
  }

  deinit {
    LockRank.expectNoLock("lets go of a listener")
    finish()
    word.deinitialize(count: 1)
    word.deallocate()
  }

  /// Its word, as long as it lives.
  var readableWord: UnsafePointer<Atomic<UInt32>> { UnsafePointer(word) }

  /// Where its word lies.
  var address: UInt { UInt(bitPattern: word) }

  /// Whether the listener whose word lies there has neither ended nor anything to be done after a
  /// call.
  @inline(__always)
  static func isQuiet(_ address: UInt) -> Bool {
    guard let word = UnsafeMutablePointer<Atomic<UInt32>>(bitPattern: address) else { return true }
    return word.pointee.load(ordering: .sequentiallyConsistent) == 0
  }

  @inline(__always)
  var isConnected: Bool { word.pointee.load(ordering: .sequentiallyConsistent) & Mark.ended == 0 }

  /// Whether the objects of the callback have been released, or are being released: what releases
  /// them may wait for that itself.
  var isFinished: Bool { word.pointee.load(ordering: .sequentiallyConsistent) & Mark.finished != 0 }

  /// Whether another callback runs, or ran, inside the call of it that has not returned.
  var isAround: Bool { word.pointee.load(ordering: .sequentiallyConsistent) & Mark.around != 0 }

  /// Lets no further call begin. True for the call that ended it.
  func disconnect() -> Bool { set(Mark.ended) & Mark.ended == 0 }

  /// Releases the objects of the callback, once.
  func finish() {
    if set(Mark.finished) & Mark.finished == 0 { onEnd() }
  }

  /// Has the thread that calls it wake those that wait, when the call has returned.
  func announceWait() { _ = set(Mark.waited) }

  /// A callback inside its call begins, on the thread that calls it.
  static func markAround(_ address: UInt) {
    guard let word = UnsafeMutablePointer<Atomic<UInt32>>(bitPattern: address) else { return }
    _ = word.pointee.bitwiseOr(Mark.around, ordering: .sequentiallyConsistent)
  }

  /// The call has returned; whether threads wait for that.
  func returned() -> Bool {
    let before = word.pointee.bitwiseAnd(
      ~(Mark.waited | Mark.around), ordering: .sequentiallyConsistent
    ).oldValue
    return before & Mark.waited != 0
  }

  private func set(_ mark: UInt32) -> UInt32 {
    word.pointee.bitwiseOr(mark, ordering: .sequentiallyConsistent).oldValue
  }
}
