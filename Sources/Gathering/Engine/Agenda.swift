import Ground

/// When the sessions of an instance are due: those of one grid together, the earliest first.
///
/// It is made anew when the schedule of a session changes; a tick looks only at what is due.
struct Agenda {
  /// Sessions that are due at the same moments.
  private struct Group {
    var grid: Grid
    var sessions: [SessionState] = []
    /// By session, where it stands among all of the instance.
    var places: [Int] = []
    /// Whether the session that reads for the others is among them.
    var leads = false
  }

  private var groups: [Group]
  /// The groups by their next moments.
  private var heap = MomentHeap<Int>()
  /// The shortest interval granted to an updating session; nil if none updates.
  let shortest: Int64?

  /// The agenda of an instance's sessions, of which some wait for a stream instead. The one with
  /// the shortest interval reads for the others (sources I5).
  init(of sessions: [SessionState], where ticks: (SessionState) -> Bool) {
    var known: [Grid: Int] = [:]
    var (found, shortest): ([Group], Int64?) = ([], nil)
    var leader: (granted: Int64, group: Int) = (.max, 0)
    for (place, session) in sessions.enumerated() where session.phase == .updating {
      shortest = min(shortest ?? .max, session.granted)
      guard let grid = session.grid, ticks(session) else { continue }
      let group = known[grid] ?? found.count
      if group == found.count {
        known[grid] = group
        found.append(Group(grid: grid))
      }
      found[group].sessions.append(session)
      found[group].places.append(place)
      if session.granted < leader.granted { leader = (session.granted, group) }
    }
    if !found.isEmpty { found[leader.group].leads = true }
    groups = found
    for (group, due) in found.enumerated() { _ = heap.add(group, at: due.grid.next) }
    self.shortest = shortest
  }

  /// The earliest moment a session is due; nil if none ticks.
  var next: Int64? { heap.earliest }

  /// The sessions that are due, in the order they were opened, their missed ticks counted, and
  /// whether the one that reads is among them.
  mutating func take(at now: Int64) -> (due: [SessionState], isLeaderDue: Bool) {
    guard let first = passFirst(at: now) else { return ([], false) }
    guard heap.isDue(by: now) else { return (groups[first].sessions, groups[first].leads) }
    // Several intervals come to one moment.
    var due = Array(zip(groups[first].places, groups[first].sessions))
    var isLeaderDue = groups[first].leads
    while let next = passFirst(at: now) {
      due += zip(groups[next].places, groups[next].sessions)
      isLeaderDue = isLeaderDue || groups[next].leads
    }
    due.sort { $0.0 < $1.0 }
    return (due.map(\.1), isLeaderDue)
  }

  /// Passes the ticks up to now of the group that is first, if it is due; which it was.
  private mutating func passFirst(at now: Int64) -> Int? {
    guard heap.isDue(by: now), let group = heap.first else { return nil }
    let skipped = groups[group].grid.takeTick(at: now).skipped
    let grid = groups[group].grid
    for session in groups[group].sessions { session.follow(grid, skipping: skipped) }
    heap.moveFirst(to: grid.next)
    return group
  }
}
