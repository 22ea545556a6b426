import Gathering
import Ground
import Values

/// Sessions for single readings, kept so that a value that is young enough is not read again.
final class KeptSessions: Sendable {
  private struct Session {
    let source: Source
    var used: UInt64
  }

  private static let capacity = 256
  private let context: Context
  private let state = Lock<(sessions: [SourceIdentifier: Session], uses: UInt64)>(([:], 0))

  init(_ context: Context) { self.context = context }

  /// A session on a source; the one that was used least lately gives way to more than 256.
  func session(of id: SourceIdentifier) throws(SourceError) -> Source {
    let known = state.withLock { state -> Source? in
      state.uses += 1
      state.sessions[id]?.used = state.uses
      return state.sessions[id]?.source
    }
    if let known { return known }
    let source = try context.open(id)
    let former = state.withLock { state -> Source? in
      let idlest =
        state.sessions.count < Self.capacity
        ? nil : state.sessions.min { $0.value.used < $1.value.used }?.key
      state.sessions[id] = Session(source: source, used: state.uses)
      return idlest.flatMap { state.sessions.removeValue(forKey: $0)?.source }
    }
    // What gives way is let go here, outside the lock.
    withExtendedLifetime(former) {}
    return source
  }
}
