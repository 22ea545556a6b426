/// When the sessions of an instance are due: those of one grid together, the earliest first.
///
/// It is made anew when the schedule of a session changes; a tick looks only at what is due.
struct Agenda {
  /// Sessions that are due at the same moments.
  private struct Group {
    var grid: Grid
    var members: [(place: Int, session: SessionState)]
  }

  /// A binary heap by the next moments.
  private var groups: [Group]
  /// The session with the shortest interval, which reads for the others (sources I5).
  private let leader: SessionState?
  /// The shortest interval granted to an updating session; nil if none updates.
  let shortest: Int64?

  /// The agenda of an instance's sessions, of which some wait for a stream instead.
  init(of sessions: [SessionState], where ticks: (SessionState) -> Bool) {
    var places: [Grid: Int] = [:]
    var (found, leader, shortest): ([Group], SessionState?, Int64?) = ([], nil, nil)
    for (place, session) in sessions.enumerated() where session.phase == .updating {
      shortest = min(shortest ?? .max, session.granted)
      guard let grid = session.grid, ticks(session) else { continue }
      if session.granted < leader?.granted ?? .max { leader = session }
      if let known = places[grid] {
        found[known].members.append((place, session))
      } else {
        places[grid] = found.count
        found.append(Group(grid: grid, members: [(place, session)]))
      }
    }
    groups = found.sorted { $0.grid.next < $1.grid.next }
    (self.leader, self.shortest) = (leader, shortest)
  }

  /// The earliest moment a session is due; nil if none ticks.
  var next: Int64? { groups.first?.grid.next }

  /// The numbers of the sessions that are due, in the order they were opened, their missed ticks
  /// counted, and whether the one that reads is among them.
  mutating func take(at now: Int64) -> (due: [UInt32], isLeaderDue: Bool) {
    var due: [(place: Int, session: SessionState)] = []
    var count = 0
    while let first = groups.first, first.grid.next <= now {
      let skipped = groups[0].grid.takeTick(at: now).skipped
      for member in first.members { member.session.follow(groups[0].grid, skipping: skipped) }
      due += first.members
      count += 1
      moveDown()
    }
    if count > 1 { due.sort { $0.place < $1.place } }
    return (due.map(\.session.number), due.contains { $0.session === leader })
  }

  /// Moves the first group to where its next moment belongs.
  private mutating func moveDown() {
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < groups.count {
        if groups[child].grid.next < groups[least].grid.next { least = child }
      }
      if least == place { return }
      groups.swapAt(place, least)
      place = least
    }
  }
}
