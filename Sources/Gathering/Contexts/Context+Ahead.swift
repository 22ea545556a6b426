import Ground

/// What a replay knows of those who take its rows.
extension Context {
  /// Lets a replay bring rows ahead for this; other contexts keep to their clock.
  package func bringAhead(into room: RowRoom) {
    pacer?.lead.add(room) { [weak self] in
      self?.core.withLock { $0.sessions.values.contains { !$0.listeners.isEmpty } } ?? true
    }
  }
}
