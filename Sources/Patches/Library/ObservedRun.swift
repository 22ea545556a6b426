import Ground

/// What works only while a patch is observed.
protocol ObservedRunner: AnyObject, Sendable {
  func begin()
  func end()
  func change(interval: Int64)
}

/// Runs something depending on whether a patch is observed.
final class ObservedRun: Sendable {
  private let runner: any ObservedRunner
  private let isRunning = Lock(false)
  private weak let patch: Patch?

  init(_ runner: any ObservedRunner, for patch: Patch) {
    self.runner = runner
    self.patch = patch
  }

  /// Starts or stops it.
  func tend() {
    let isObserved = patch?.isObserved == true
    let hasChanged = isRunning.withLock { isRunning in
      guard isRunning != isObserved else { return false }
      isRunning = isObserved
      return true
    }
    guard hasChanged else { return }
    if isObserved { runner.begin() } else { runner.end() }
    // Subscribers may have changed meanwhile: check again.
    tend()
  }
}
