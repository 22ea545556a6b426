public import Values

/// Data of a session that its instance does not have: its settings, and the start of its run.
public struct SessionFacts: Sendable {
  /// The session's own values of settable properties, by index.
  public var settings: [Int: Value]
  /// The first value of each property since the start; nil before the first reading, and while
  /// nothing runs.
  public var first: Reading?

  /// Settings and the first reading.
  public init(settings: [Int: Value] = [:], first: Reading? = nil) {
    self.settings = settings
    self.first = first
  }

  /// Stores the values of a run's first reading.
  mutating func noteFirst(_ reading: Reading) {
    guard var first else {
      self.first = reading
      return
    }
    if first.counters.isEmpty { first.counters = reading.counters }
    for index in first.indices where index < reading.count {
      if !first[index].hasPayload && reading[index].hasPayload { first[index] = reading[index] }
    }
    self.first = first
  }
}

/// The data of a reading, besides its outcomes, that a session needs to adapt it.
struct ReadingBasis: Sendable {
  var counters: [Int64] = []
  /// Properties a script set, which no rule overwrites.
  var scripted: Set<Int> = []

  /// Takes over the data of a reading: mostly there is none.
  mutating func take(_ reading: borrowing Reading) {
    if !counters.isEmpty || !reading.counters.isEmpty { counters = reading.counters }
    if !scripted.isEmpty || !reading.scripted.isEmpty { scripted = reading.scripted }
  }
}
