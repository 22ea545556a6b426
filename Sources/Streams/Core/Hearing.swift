import Ground
import Synchronization

/// How a subscriber hears of transactions.
enum Hearing: Sendable {
  /// Of their ends only; a plain stream has nothing else.
  case ends
  /// Of begin, each change, and end.
  case parts
  /// Of the same, or of a transaction of one change as a whole, if that makes no difference to who
  /// depends on the subscriber.
  case either(Dependant)

  var isPartwise: Bool {
    if case .ends = self { false } else { true }
  }

  /// The node that subscribes, if it takes whole transactions.
  var dependant: Dependant? {
    if case .either(let dependant) = self { dependant } else { nil }
  }
}

/// What a value knows of a node that is computed from it: who else the node tells.
///
/// A set that is made on hearing a part joins the transaction (streams L54), and a node with two
/// inputs sees one transaction of both. So parts are told if a sink hears them further down, or if
/// the way divides there.
final class Dependant: Sendable {
  /// What the node tells.
  private enum Telling: UInt8, AtomicRepresentable {
    /// No parts.
    case whole
    case parts
    /// What `next` tells.
    case next
  }

  private let telling = Atomic<Telling>(.whole)
  /// The only dependant of the node, itself a node.
  private let next = Lock<Dependant?>(nil)

  /// Whether it makes a difference whether the node hears parts.
  var tellsParts: Bool {
    var one = self
    while true {
      switch one.telling.load(ordering: .acquiring) {
      case .whole: return false
      case .parts: return true
      case .next:
        guard let next = one.next.withLock({ $0 }) else { continue }
        one = next
      }
    }
  }

  /// Notes whom the node tells from now on.
  func note<Item>(_ subscribers: SubscriberList<Item>) {
    let (only, count) = (subscribers.onlyDependant, subscribers.partwiseCount)
    let telling: Telling = only != nil ? .next : count > 0 ? .parts : .whole
    // A new one is stored before it can be asked; a former one stays as long as it can be.
    if only != nil { _ = replaceNext(by: only) }
    self.telling.store(telling, ordering: .releasing)
    if only == nil { _ = replaceNext(by: nil) }
  }

  private func replaceNext(by other: Dependant?) -> Dependant? {
    next.withLock { next in
      defer { next = other }
      return next
    }
  }
}
