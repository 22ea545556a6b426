/// The machines of which one of the two messages is missing that make them known: they are asked
/// for by name, some at a time (fleet F40). Moments are of CLOCK_MONOTONIC.
struct FleetSeeking: Sendable {
  /// How many are asked for at once: a broker with default settings keeps 1000 messages for a
  /// reader, and drops others.
  private static let portion = 200

  /// Those that were asked for since there is a connection, or wait for it.
  private var known: Set<String> = []
  private var names: [String] = []
  /// When the next are asked for.
  private(set) var due: Int64?

  /// A machine is known by halves: it is asked for at a moment, unless it was already.
  mutating func note(_ name: String, due moment: Int64) {
    guard known.insert(name).inserted else { return }
    names.append(name)
    due = due ?? moment
  }

  /// Those to be asked for now.
  mutating func take(at now: Int64) -> [String] {
    guard let moment = due, moment <= now else { return [] }
    let taken = Array(names.prefix(Self.portion))
    names.removeFirst(taken.count)
    due = names.isEmpty ? nil : now + FleetState.quiet
    return taken
  }
}
