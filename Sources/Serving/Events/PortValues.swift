import Gathering
import Ground
import Streams
import Values

/// The values of the outputs of a graph's nodes, for one stream of events: of each port the newest
/// since they were put last, so that a graph is never too fast.
final class PortValues: Sendable {
  private struct State {
    var changed: [(name: String, Sample)] = []
    var places: [String: Int] = [:]
    var connections: [Connection] = []
    var isClosed = false
  }

  private let name: String
  private let state = Lock(State())

  /// Subscribes to every output of every node.
  init(of graph: ServedGraph) throws {
    name = graph.name
    let connections = try graph.ports.map { name, port in
      try port.subscribe { [weak self] in self?.take($0, of: name) }
    }
    state.withLock { $0.connections = connections }
  }

  /// Puts those that have changed as one event, if any has.
  func put(into queue: EventQueue) {
    let changed = state.withLock { state in
      defer { (state.changed, state.places) = ([], [:]) }
      return state.changed
    }
    if changed.isEmpty { return }
    let values = changed.map { ($0.name, Value.dictionary(ServedGraph.facts(of: $0.1))) }
    let facts: ValueDictionary = [
      "name": .string(name), "ports": .dictionary(ValueDictionary(values)),
    ]
    queue.put("ports", JSONBody.text(.dictionary(facts)), rows: 1)
  }

  /// Ends the subscriptions.
  func close() {
    let former = state.withLock { state in
      defer { state = State(isClosed: true) }
      return state
    }
    for connection in former.connections { connection.disconnect() }
  }

  private func take(_ sample: Sample, of name: String) {
    let former = state.withLock { state -> Sample? in
      if state.isClosed { return nil }
      guard let place = state.places[name] else {
        state.places[name] = state.changed.count
        state.changed.append((name, sample))
        return nil
      }
      defer { state.changed[place].1 = sample }
      return state.changed[place].1
    }
    // What is replaced is let go here, outside the lock.
    withExtendedLifetime(former) {}
  }
}
