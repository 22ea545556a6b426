import Ground

/// What sessions of one instance can spare each other.
extension Source {
  /// The values of a session of its instance that updates, if they are younger than that one's
  /// interval. Nil where there are none, and where a session has settings of its own.
  package var valuesInStep: [Sample]? {
    let now = context.now.boot
    let block = lookAtInstance { instance in
      instance.sessions.first { $0.isInStep(at: now) }?.latest
    }
    return block?.samples
  }

  /// Whether its instance is being read on a thread of its own, by whatever session: one that hangs
  /// is, until it answers.
  package var isBeingRead: Bool { lookAtInstance { $0.box.worker }?.busyTime != nil }
}

extension SessionState {
  /// Whether its last update is younger than its interval, and as any other session's would be.
  fileprivate func isInStep(at now: Int64) -> Bool {
    guard phase == .updating, !awaitsRefresh, !adapts, let last = times.last else { return false }
    return last <= now && now - last < asked
  }
}
