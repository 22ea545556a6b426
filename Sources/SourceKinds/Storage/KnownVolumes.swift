import Gathering
import Ground
import Machine

/// The volumes as they were found last, while the kernel announces no other table of mounts.
///
/// What lies below the mounts, such as logical volumes, is looked at again after a second.
final class KnownVolumes: Sendable {
  private struct State {
    /// The table, which tells of changes since it was opened.
    var table: (any OpenFile)?
    var discovery: Discovery?
    var foundAt: Int64 = 0
  }

  /// How long volumes are kept, in nanoseconds.
  private static let validity: Int64 = 1_000_000_000

  private let state = Monitor(State(), rank: .part)

  /// The volumes of a machine: those known, or those that `find` finds now.
  func discovery(on machine: Machine, orBy find: () -> Discovery) -> Discovery {
    guard machine.nature == .live else { return find() }
    let now = machine.clock.boot
    let known = state.withLock { state -> Discovery? in
      let isFresh = (state.foundAt..<state.foundAt + Self.validity).contains(now)
      guard isFresh, state.table?.hasNews() == false else { return nil }
      return state.discovery
    }
    if let known { return known }
    // Opened first, so that it tells of changes meanwhile.
    let table = try? machine.files.open(MountTable.path)
    let found = find()
    guard table?.hasNews() == false else { return found }
    let former = state.withLock { state in
      defer { state = State(table: table, discovery: found, foundAt: now) }
      return state
    }
    withExtendedLifetime(former) {}
    return found
  }
}
