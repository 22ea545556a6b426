/// When the sessions of an instance are due: those of one grid together, the earliest first.
///
/// It is made anew when the schedule of a session changes; a tick looks only at what is due.
struct Agenda {
  /// Sessions that are due at the same moments.
  private struct Group {
    var grid: Grid
    var members: [(place: Int, session: SessionState)]
    /// The numbers of the members.
    var numbers: [UInt32]
    /// Whether the session that reads for the others is among them.
    var leads = false
  }

  private var groups: [Group]
  /// A binary heap of the groups by their next moments.
  private var heap: [(next: Int64, group: Int)]
  /// The shortest interval granted to an updating session; nil if none updates.
  let shortest: Int64?

  /// The agenda of an instance's sessions, of which some wait for a stream instead. The one with
  /// the shortest interval reads for the others (sources I5).
  init(of sessions: [SessionState], where ticks: (SessionState) -> Bool) {
    var places: [Grid: Int] = [:]
    var (found, shortest): ([Group], Int64?) = ([], nil)
    var leader: (granted: Int64, group: Int) = (.max, 0)
    for (place, session) in sessions.enumerated() where session.phase == .updating {
      shortest = min(shortest ?? .max, session.granted)
      guard let grid = session.grid, ticks(session) else { continue }
      let group = places[grid] ?? found.count
      if group == found.count {
        places[grid] = group
        found.append(Group(grid: grid, members: [], numbers: []))
      }
      found[group].members.append((place, session))
      found[group].numbers.append(session.number)
      if session.granted < leader.granted { leader = (session.granted, group) }
    }
    if !found.isEmpty { found[leader.group].leads = true }
    groups = found
    heap = found.enumerated().map { ($1.grid.next, $0) }.sorted { $0.next < $1.next }
    self.shortest = shortest
  }

  /// The earliest moment a session is due; nil if none ticks.
  var next: Int64? { heap.first?.next }

  /// The numbers of the sessions that are due, in the order they were opened, their missed ticks
  /// counted, and whether the one that reads is among them.
  mutating func take(at now: Int64) -> (due: [UInt32], isLeaderDue: Bool) {
    guard let first = heap.first, first.next <= now else { return ([], false) }
    pass(first.group, at: now)
    guard let second = heap.first, second.next <= now else {
      return (groups[first.group].numbers, groups[first.group].leads)
    }
    // Several intervals come to one moment.
    var (due, isLeaderDue) = (groups[first.group].members, groups[first.group].leads)
    while let next = heap.first, next.next <= now {
      pass(next.group, at: now)
      due += groups[next.group].members
      isLeaderDue = isLeaderDue || groups[next.group].leads
    }
    due.sort { $0.place < $1.place }
    return (due.map(\.session.number), isLeaderDue)
  }

  /// Passes the ticks up to now of the group that is first.
  private mutating func pass(_ group: Int, at now: Int64) {
    let skipped = groups[group].grid.takeTick(at: now).skipped
    let grid = groups[group].grid
    for index in groups[group].members.indices {
      groups[group].members[index].session.follow(grid, skipping: skipped)
    }
    heap[0].next = grid.next
    moveDown()
  }

  /// Moves the first group to where its next moment belongs.
  private mutating func moveDown() {
    let entry = heap[0]
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1].next < heap[child].next { child += 1 }
      guard heap[child].next < entry.next else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = entry
  }
}
