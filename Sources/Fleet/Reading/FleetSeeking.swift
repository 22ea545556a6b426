/// The machines of which `online` or `device` is missing. They are asked for by name, some at a
/// time (fleet F40). Moments are of CLOCK_MONOTONIC.
struct FleetSeeking: Sendable {
  /// How many are asked for at once: a broker with default settings keeps 1000 messages for a
  /// reader, and drops others.
  private static let portion = 200

  /// Those that wait for it.
  private var waiting: Set<String> = []
  private var names: [String] = []
  /// When the next are asked for.
  private(set) var due: Int64?

  /// A machine is known by halves, and is asked for at a moment: again with each of its pulses,
  /// since an answer may be dropped, too.
  mutating func note(_ name: String, due moment: Int64) {
    guard waiting.insert(name).inserted else { return }
    names.append(name)
    due = due ?? moment
  }

  /// Those to be asked for now.
  mutating func take(at now: Int64) -> [String] {
    guard let moment = due, moment <= now else { return [] }
    let taken = Array(names.prefix(Self.portion))
    names.removeFirst(taken.count)
    waiting.subtract(taken)
    due = names.isEmpty ? nil : now + FleetState.quiet
    return taken
  }
}
