import Ground
import Synchronization

/// The listeners of a session's updates at one time, in the order added; replaced as a whole.
final class ListenerList: @unchecked Sendable {
  // Safe: all is constant; the pointers of the host are only passed back to it, and words live as
  // long as their listeners, which the list keeps.

  /// What a delivery needs of a listener.
  struct Entry {
    /// nil for a closure, and for a function that gets batches. Always of the host.
    var function: RowFunction?
    var userData: UnsafeMutableRawPointer?
    /// Its word (`Listener`).
    let word: UnsafePointer<Atomic<UInt32>>

    /// Whether it has neither ended nor anything to be done after a call.
    @inline(__always)
    var isQuiet: Bool { word.pointee.load(ordering: .sequentiallyConsistent) == 0 }
  }

  /// What is among them.
  struct CallbackTypes: OptionSet {
    let rawValue: UInt8
    /// Closures, which take an update.
    static let closures = CallbackTypes(rawValue: 1)
    /// Functions of the C interface that get all rows.
    static let rowFunctions = CallbackTypes(rawValue: 2)
    /// Functions of the C interface that get batches.
    static let batchFunctions = CallbackTypes(rawValue: 4)
    static let functions: CallbackTypes = [.rowFunctions, .batchFunctions]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ callback: Listener.Callback) {
      self =
        switch callback {
        case .update: .closures
        case .rows: .rowFunctions
        case .batch: .batchFunctions
        case .event, .samples, .transform: []
        }
    }
  }

  static let none = ListenerList([])

  let listeners: ContiguousArray<Listener>
  /// What a delivery needs of them, in memory of the list's own.
  let entries: UnsafeBufferPointer<Entry>
  let types: CallbackTypes

  private init(_ listeners: ContiguousArray<Listener>) {
    self.listeners = listeners
    let entries = UnsafeMutableBufferPointer<Entry>.allocate(capacity: listeners.count)
    for (place, listener) in listeners.enumerated() {
      var entry = Entry(word: listener.readableWord)
      if listener.isHost, case .rows(let function, let userData) = listener.callback {
        (entry.function, entry.userData) = (function, userData)
      }
      entries.initializeElement(at: place, to: entry)
    }
    self.entries = UnsafeBufferPointer(entries)
    types = listeners.reduce(into: []) { $0.formUnion(CallbackTypes($1.callback)) }
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
