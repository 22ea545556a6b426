import Ground
import Streams

/// A model of L1–L20 for one thread: an array that is the order, and one drain over it.
final class ModelRun: Run {
  private struct Subscriber {
    let slot: Int
    let name: String
    let place: Int
  }

  private struct Item {
    let value: Int
    let place: Int
    let root: Int
    /// Only this one, for an initial value.
    var only: String?
  }

  private struct State {
    var trace: [String] = []
    var subscribers: [Subscriber] = []
    var queue: [Item] = []
    var place = 0
    /// The cascade in delivery; nil while idle.
    var root: Int?
    var sizes: [Int: Int] = [:]
    var running: String?
    var held = 0
    var slots: [Int: String] = [:]
    var visits: [Int: Int] = [:]
    var lastValue = 0
    var lastSubscriber = 0
    var moves: (@Sendable (Int, Int) -> [Move])?
  }

  private let kind: StreamKind
  private let limit: Int
  private let state = Lock(State())

  init(_ kind: StreamKind, limit: Int) {
    self.kind = kind
    self.limit = limit
  }

  var trace: [String] { state.withLock { $0.trace } }

  func begin(_ moves: @escaping @Sendable (Int, Int) -> [Move]) {
    state.withLock { $0.moves = moves }
  }

  func make(_ move: Move) {
    switch move {
    case .send: send()
    case .enqueue: if kind != .variable { note("e" + place()) }
    case .flush: drain()
    case .subscribe(let slot): subscribe(slot)
    case .disconnect(let slot): disconnect(slot)
    }
  }

  // MARK: Sending

  private func send() {
    let result = place()
    let isBusy = state.withLock { $0.root != nil }
    if result == "q", !isBusy { drain() }
    note(result == "q" && !isBusy ? "d" : result)
  }

  /// Gives the next value its place: discarded (L2), refused (L12), or queued (L1 L3).
  private func place() -> String {
    state.withLock { state in
      state.lastValue += 1
      if kind != .variable, state.subscribers.isEmpty { return "d" }
      guard let root = admit(&state) else { return "r" }
      state.held = state.lastValue
      if state.subscribers.isEmpty { return state.root == nil ? "q" : "d" }
      state.queue.append(Item(value: state.lastValue, place: state.place, root: root))
      return "q"
    }
  }

  /// A place, and the cascade it belongs to; nil when that is full.
  private func admit(_ state: inout State) -> Int? {
    if let root = state.root, state.sizes[root, default: 1] >= limit { return nil }
    if let root = state.root { state.sizes[root, default: 1] += 1 }
    state.place += 1
    return state.root ?? state.place
  }

  private func drain() {
    guard state.withLock({ $0.root == nil }) else { return }
    while let item = takeItem() {
      // L5, L6: in the order of subscription, to whom came before the value.
      let listeners = state.withLock { state in
        state.subscribers.filter {
          item.only.map { [name = $0.name] only in only == name } ?? ($0.place < item.place)
        }
      }
      for listener in listeners { deliver(item.value, to: listener) }
    }
  }

  private func takeItem() -> Item? {
    state.withLock { state in
      guard !state.queue.isEmpty else {
        state.root = nil
        return nil
      }
      let item = state.queue.removeFirst()
      state.root = item.root
      return item
    }
  }

  private func deliver(_ value: Int, to listener: Subscriber) {
    let name = listener.name
    // L7: who left before its turn gets nothing.
    guard state.withLock({ $0.subscribers.contains { $0.name == name } }) else { return }
    state.withLock { $0.running = name }
    note(value == BracketValue.hello ? "h\(name)" : "<\(name):\(value)")
    let moves = state.withLock { state in
      let visit = state.visits[listener.slot, default: 0]
      state.visits[listener.slot] = visit + 1
      return state.moves?(listener.slot, visit) ?? []
    }
    for move in moves { make(move) }
    note(">\(name)")
    let hasLeft = state.withLock { state in
      state.running = nil
      return !state.subscribers.contains { $0.name == name }
    }
    if hasLeft { letGo(name) }
  }

  // MARK: Coming and going

  private func subscribe(_ slot: Int) {
    disconnect(slot)
    let name = state.withLock { state in
      state.lastSubscriber += 1
      let name = "\(slot).\(state.lastSubscriber)"
      state.subscribers.append(Subscriber(slot: slot, name: name, place: state.place))
      guard kind == .variable || kind == .bracketed else { return name }
      // L12: beyond the limit an initial value is dropped, not the subscription.
      guard let root = admit(&state) else { return name }
      let initial = kind == .variable ? state.held : BracketValue.hello
      state.queue.append(Item(value: initial, place: state.place, root: root, only: name))
      return name
    }
    // L19: on an idle stream the initial value is delivered before subscribing returns.
    if kind == .variable || kind == .bracketed { drain() }
    disconnect(slot)
    state.withLock { $0.slots[slot] = name }
  }

  private func disconnect(_ slot: Int) {
    let name = state.withLock { state -> String? in
      guard let name = state.slots.removeValue(forKey: slot) else { return nil }
      state.subscribers.removeAll { $0.name == name }
      if state.subscribers.isEmpty { state.queue = [] }
      return state.running == name ? nil : name
    }
    if let name { letGo(name) }
  }

  /// L20 and L15: the final value, and then the sink is released.
  private func letGo(_ name: String) {
    if kind == .bracketed { note("b\(name)") }
    note("g\(name)")
  }

  private func note(_ entry: String) { state.withLock { $0.trace.append(entry) } }
}
