import GatheredKitTesting
import Gathering
import Testing
import Values

private let millisecond: Int64 = 1_000_000

/// Sources L14 walked at random: what a session gets beside others is what it gets alone.
@Suite struct SharedModelTests {
  private enum Move {
    case start(Int64)
    case stop
    case read
  }

  /// What is done with which session, and when.
  private struct Step {
    let moment: Int64
    let session: Int
    let move: Move
  }

  /// One reading as a session got it.
  private struct Row: Equatable, CustomStringConvertible {
    let time: Int64
    let count: Double?
    let relative: Double?
    let isNew: Bool
    let hasGap: Bool

    init(_ samples: [Sample]) {
      time = samples[0].time
      count = samples[0].value.vector?.x
      relative = samples[4].value.number
      isNew = samples[0].flags.contains(.isNew)
      hasGap = samples[0].flags.contains(.gap)
    }

    var description: String {
      "\(time / millisecond):\(count ?? -1)\(isNew ? "" : " old")\(hasGap ? " gap" : "")"
    }
  }

  /// All that a session told.
  private struct Account: Equatable {
    var rows: [Row] = []
    var granted: [Int64?] = []
    var reasons: [String] = []
    var dropped: UInt64 = 0
  }

  /// Asked for in milliseconds: faster than the hardware, of its rate, thinned.
  private static let streamed: [Int64] = [1, 2, 4, 6, 10, 20, 50, 98]
  /// Polled, which only the first session is: of two the slower one gets the other's readings (I5).
  private static let polled: [Int64] = [100, 200, 500]

  private func steps(_ count: Int, of sessions: Int, seed: Int) -> [Step] {
    var random = SeededGenerator(seed: UInt64(seed))
    var moment: Int64 = 0
    return (0..<count).map { _ in
      moment += Int64.random(in: 0...60, using: &random) * 2 * millisecond
      let session = Int.random(in: 0..<sessions, using: &random)
      let rates = session == 0 ? Self.streamed + Self.polled : Self.streamed
      let rate = rates.randomElement(using: &random) ?? 2
      let move: Move =
        switch Int.random(in: 0..<8, using: &random) {
        case 0...3: .start(rate * millisecond)
        case 4...6: .stop
        default: .read
        }
      return Step(moment: moment, session: session, move: move)
    }
  }

  /// Runs steps on hardware that measures every two milliseconds how many of them have gone.
  private func run(_ steps: [Step], through end: Int64, of sessions: Int) throws -> [Account] {
    let probe = try ProbeContext()
    probe.device.set { $0.interval = 2 * millisecond }
    let opened = try (0..<sessions).map { _ in try probe.open() }
    var accounts = [Account](repeating: Account(), count: sessions)
    var rest = steps[...]
    for moment in stride(from: 0, through: end, by: Int(2 * millisecond)).map({ Int64($0) }) {
      let count = Int(moment / (2 * millisecond))
      probe.device.set { $0.polled = Double(count) }
      try probe.context.seek(to: moment)
      let isOpen = probe.device.get { $0.opened.count > $0.cancelled }
      if isOpen { probe.device.bring(1, from: count, at: moment, step: 0) }
      while let step = rest.first, step.moment == moment {
        rest.removeFirst()
        let streams = probe.device.get { $0.opened.count }
        let source = opened[step.session].source
        switch step.move {
        case .start(let interval): try source.startUpdating(every: interval)
        case .stop: try source.stopUpdating()
        case .read: try source.updateValuesInPlace(within: 60_000 * millisecond)
        }
        accounts[step.session].granted.append(source.rates.granted)
        accounts[step.session].reasons.append(source.rates.reason)
        // A stream that has just been opened brings the sample of this moment, too.
        if probe.device.get({ $0.opened.count }) > streams {
          probe.device.bring(1, from: count, at: moment, step: 0)
        }
      }
      try probe.deliver()
    }
    for (index, (source, diary)) in opened.enumerated() {
      accounts[index].rows = diary.updates().flatMap(\.rows).map(Row.init)
      accounts[index].dropped = source.rates.dropped
    }
    return accounts
  }

  @Test(arguments: 1...12)
  func `a session gets beside others what it gets alone`(seed: Int) throws {
    let sessions = 2 + seed % 3
    let steps = steps(40, of: sessions, seed: seed)
    let end = (steps.last?.moment ?? 0) + 700 * millisecond
    let together = try run(steps, through: end, of: sessions)
    #expect(together.reduce(0) { $0 + $1.rows.count } > 100)
    for session in 0..<sessions {
      let own = steps.filter { $0.session == session }.map {
        Step(moment: $0.moment, session: 0, move: $0.move)
      }
      let alone = try run(own, through: end, of: 1)[0]
      let shared = together[session]
      #expect(shared.granted == alone.granted)
      #expect(shared.reasons == alone.reasons)
      #expect(shared.dropped == alone.dropped)
      let first = zip(shared.rows, alone.rows).first { $0 != $1 }
      #expect(first == nil, "together \(first?.0.description ?? ""), alone")
      #expect(shared.rows.count == alone.rows.count)
    }
  }
}
