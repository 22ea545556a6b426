/// How a value is written.
public enum ValueStyle: UInt32, CaseIterable, Sendable {
  /// Short, for people: rounded, in a unit as people write it, shares as percentages.
  case people = 0
  /// Exact, in the declared unit as its UCUM code: a number reads back equal.
  case machine = 1
}
