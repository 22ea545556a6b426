import Ground
import Streams

/// Runs a program on a real stream.
final class RealRun: Run {
  private struct State {
    var trace: [String] = []
    var connections: [Int: Connection] = [:]
    var visits: [Int: Int] = [:]
    var lastValue = 0
    var lastSubscriber = 0
    var moves: (@Sendable (Int, Int) -> [Move])?
  }

  private let state = Lock(State())
  private let signal: Signal<Int>
  private let variable: Variable<Int>?
  private let stream: any ValueStream<Int>

  init(_ kind: StreamKind, limit: Int) {
    signal = Signal(cascadeLimit: limit)
    switch kind {
    case .signal:
      variable = nil
      stream = signal
    case .variable:
      let held = Variable(0, cascadeLimit: limit)
      variable = held
      stream = held
    case .bracketed:
      variable = nil
      stream = signal.bracketed(hello: { BracketValue.hello }, goodbye: { BracketValue.goodbye })
    }
  }

  var trace: [String] { state.withLock { $0.trace } }

  func begin(_ moves: @escaping @Sendable (Int, Int) -> [Move]) {
    state.withLock { $0.moves = moves }
  }

  func make(_ move: Move) {
    switch move {
    case .send: note("\(short(variable?.set(nextValue()) ?? signal.send(nextValue())))")
    case .enqueue:
      if variable == nil { note("e\(short(signal.enqueue(nextValue())))") }
    case .flush: if variable == nil { signal.flush() }
    case .subscribe(let slot): subscribe(slot)
    case .disconnect(let slot): disconnect(slot)
    }
  }

  private func subscribe(_ slot: Int) {
    disconnect(slot)
    let name = state.withLock { state in
      state.lastSubscriber += 1
      return "\(slot).\(state.lastSubscriber)"
    }
    let guest = Guest { [weak self] in self?.note("g\(name)") }
    let connection = stream.subscribe { [weak self] value in
      guest.visit()
      self?.receive(value, slot, name)
    }
    // What the initial value has put into the slot meanwhile makes way.
    disconnect(slot)
    state.withLock { $0.connections[slot] = connection }
  }

  private func disconnect(_ slot: Int) {
    let connection = state.withLock { $0.connections.removeValue(forKey: slot) }
    connection?.disconnect()
  }

  private func receive(_ value: Int, _ slot: Int, _ name: String) {
    if value == BracketValue.goodbye { return note("b\(name)") }
    note(value == BracketValue.hello ? "h\(name)" : "<\(name):\(value)")
    let moves = state.withLock { state in
      let visit = state.visits[slot, default: 0]
      state.visits[slot] = visit + 1
      return state.moves?(slot, visit) ?? []
    }
    for move in moves { make(move) }
    note(">\(name)")
  }

  private func nextValue() -> Int {
    state.withLock { state in
      state.lastValue += 1
      return state.lastValue
    }
  }

  private func note(_ entry: String) { state.withLock { $0.trace.append(entry) } }

  private func short(_ delivery: Delivery) -> String {
    switch delivery {
    case .delivered: "d"
    case .queued: "q"
    case .refused: "r"
    }
  }
}

/// The values that stand for an initial and a final value.
enum BracketValue {
  static let hello = -1
  static let goodbye = -2
}
