/// What a loop runs once. A closure by itself would be wrapped anew, in memory of its own, each
/// time it goes into a list or out of it.
struct LoopAction: Sendable {
  private let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }

  func callAsFunction() { run() }
}
