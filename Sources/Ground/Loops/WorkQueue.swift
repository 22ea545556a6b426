/// A place where jobs run one after another, in the order they were submitted.
public protocol WorkQueue: Sendable {
  /// Whether the caller is one of the queue's own jobs.
  var isCurrent: Bool { get }

  /// Runs `job` after all jobs submitted before it; returns without waiting for it.
  func submit(_ job: @escaping @Sendable () -> Void)
}
