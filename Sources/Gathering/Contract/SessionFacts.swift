/// What a session knows that its instance does not: its settings, and where its run began.
public struct SessionFacts: Sendable {
  /// The session's own values of settable properties, by index.
  public var settings: [Int: Value]
  /// The first reading since the start; nil before it, and while nothing runs.
  public var first: Reading?

  /// Settings and the first reading.
  public init(settings: [Int: Value] = [:], first: Reading? = nil) {
    self.settings = settings
    self.first = first
  }
}
