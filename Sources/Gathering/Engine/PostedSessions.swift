/// Sessions that the loop is asked to deliver, in order. One needs no memory of its own.
struct PostedSessions {
  private var first: SessionState?
  private var others: [SessionState] = []

  var isEmpty: Bool { first == nil }

  mutating func append(_ session: SessionState) {
    if first == nil { return first = session }
    if others.isEmpty { others.reserveCapacity(8) }
    others.append(session)
  }

  /// Calls a body with each.
  @inline(__always)
  func forEach(_ body: (SessionState) -> Void) {
    if let first { body(first) }
    for session in others { body(session) }
  }
}
