import Ground

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
  private struct State: Sendable {
    var tellsParts = false
    /// The only one that the node tells, which is a node, too.
    var next: Dependant?
  }

  private let state = Lock(State())

  /// Whether it makes a difference whether the node hears parts.
  var tellsParts: Bool {
    var one = self
    while true {
      let seen = one.state.withLock { $0 }
      if seen.tellsParts { return true }
      guard let next = seen.next else { return false }
      one = next
    }
  }

  /// Notes whom the node tells from now on.
  func note<Item>(_ subscribers: SubscriberList<Item>) {
    let (next, count) = (subscribers.onlyDependant, subscribers.partwiseCount)
    state.withLock { $0 = State(tellsParts: count > 0 && next == nil, next: next) }
  }
}
