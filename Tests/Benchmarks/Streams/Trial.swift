/// The same work done by several, who take turns: ours first.
struct Trial {
  let name: String
  /// How many deliveries one run makes: figures are shares of that.
  let share: Int
  /// How often it is run where instructions are counted.
  var runs = 100
  /// What ours may cost, by the peer.
  var aims: [String: String] = [:]
  let participants: [(name: String, run: () -> Void)]
}

extension Trial {
  /// Times every participant and prints a row for each peer.
  func time() {
    let works = participants.map { makeWork($0.run) }
    var spent = [Double](repeating: 0, count: works.count)
    measure(works, works.count, &spent)
    for (peer, theirs) in zip(participants, spent).dropFirst() {
      let (ours, theirs) = (spent[0] / Double(share), theirs / Double(share))
      row(name, ours, "ns", peer.name, theirs, aims[peer.name] ?? "")
    }
  }

  /// Has callgrind count each participant's instructions, after a first run that does not count.
  func count() {
    for participant in participants {
      participant.run()
      start_counting()
      for _ in 0..<runs { participant.run() }
      let aim = aims[participant.name] ?? ""
      stop_counting("\(name)|\(participant.name)|\(runs * share)|\(aim)")
    }
  }
}

/// A closure as something that `measure` can run.
func makeWork(_ run: @escaping () -> Void) -> work {
  work(run: runBox, data: Unmanaged.passRetained(Box(run: run)).toOpaque())
}

private final class Box {
  let run: () -> Void

  init(run: @escaping () -> Void) {
    self.run = run
  }
}

private let runBox: @convention(c) (UnsafeMutableRawPointer?) -> Void = { data in
  guard let data else { return }
  Unmanaged<Box>.fromOpaque(data)._withUnsafeGuaranteedRef { $0.run() }
}

/// What the sinks add to, so that no call of one can be left out; one thread uses it.
nonisolated(unsafe) var received = 0
