import Ground
import Synchronization

/// The listeners of a session's updates at one time, in the order added; replaced as a whole.
final class ListenerList: @unchecked Sendable {
  // Safe: all is constant; the pointers of the host are only passed back to it, and words live as
  // long as their listeners, which the list keeps.

  /// What a delivery needs of a listener.
  struct Entry {
    /// nil for a closure, and for a function that gets batches.
    var function: RowFunction?
    var batch: BatchFunction?
    var userData: UnsafeMutableRawPointer?
    /// Its word (`Listener`).
    let word: UnsafePointer<Atomic<UInt32>>
    /// How many calls of the host a call of it is: 1 or 0.
    let calls: UInt64

    /// Whether it has neither ended nor anything to be done after a call.
    @inline(__always)
    var isQuiet: Bool { word.pointee.load(ordering: .sequentiallyConsistent) == 0 }
  }

  static let none = ListenerList([])

  let listeners: ContiguousArray<Listener>
  /// What a delivery needs of them, in memory of the list's own.
  let entries: UnsafeBufferPointer<Entry>
  /// Whether a closure is among them, which takes an update.
  let hasClosures: Bool
  /// Whether a function of the C interface is, and whether one is that gets all rows.
  let hasFunctions: Bool
  let hasRowFunctions: Bool

  private init(_ listeners: ContiguousArray<Listener>) {
    self.listeners = listeners
    let entries = UnsafeMutableBufferPointer<Entry>.allocate(capacity: listeners.count)
    for (place, listener) in listeners.enumerated() {
      var entry = Entry(
        word: listener.readableWord, calls: listener.isHost ? 1 : 0)
      switch listener.callback {
      case .rows(let function, let userData):
        (entry.function, entry.userData) = (function, userData)
      case .batch(let function, let userData):
        (entry.batch, entry.userData) = (function, userData)
      case .update, .event, .samples, .transform: break
      }
      entries.initializeElement(at: place, to: entry)
    }
    self.entries = UnsafeBufferPointer(entries)
    hasClosures = entries.contains { $0.function == nil && $0.batch == nil }
    hasRowFunctions = entries.contains { $0.function != nil }
    hasFunctions = hasRowFunctions || entries.contains { $0.batch != nil }
  }

  deinit { entries.deallocate() }

  var isEmpty: Bool { entries.isEmpty }

  /// The list with one more at its end.
  func adding(_ listener: Listener) -> ListenerList { ListenerList(listeners + [listener]) }

  /// The list without one.
  func removing(_ listener: Listener) -> ListenerList {
    ListenerList(listeners.filter { $0 !== listener })
  }
}
