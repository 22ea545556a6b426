import Ground
import Synchronization

/// The listeners of a session's updates at one time, in the order added; replaced as a whole.
final class ListenerList: @unchecked Sendable {
  // Safe: all is constant; the pointers of the host are only passed back to it, and words live as
  // long as their listeners, which the list keeps.

  /// What a delivery needs of a listener.
  struct Entry {
    /// nil for a closure.
    let function: RowFunction?
    let userData: UnsafeMutableRawPointer?
    /// Where its word lies.
    let address: UInt
    /// How many calls of the host a call of it is: 1 or 0.
    let calls: UInt64
  }

  static let none = ListenerList([])

  let listeners: ContiguousArray<Listener>
  let entries: ContiguousArray<Entry>
  /// Whether a closure is among them, which takes an update.
  let hasClosures: Bool
  /// Whether a function of the C interface is.
  let hasFunctions: Bool

  private init(_ listeners: ContiguousArray<Listener>) {
    self.listeners = listeners
    entries = ContiguousArray(
      listeners.map { listener in
        let calls: UInt64 = listener.isHost ? 1 : 0
        if case .rows(let function, let userData) = listener.callback {
          return Entry(
            function: function, userData: userData, address: listener.address, calls: calls)
        }
        return Entry(function: nil, userData: nil, address: listener.address, calls: calls)
      })
    hasClosures = entries.contains { $0.function == nil }
    hasFunctions = entries.contains { $0.function != nil }
  }

  var isEmpty: Bool { entries.isEmpty }

  /// The list with one more at its end.
  func adding(_ listener: Listener) -> ListenerList { ListenerList(listeners + [listener]) }

  /// The list without one.
  func removing(_ listener: Listener) -> ListenerList {
    ListenerList(listeners.filter { $0 !== listener })
  }
}
