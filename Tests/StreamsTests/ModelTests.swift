import GatheredKitTesting
import Testing

/// Random programs, run by a real stream and by a model of the laws, leave the same trace.
@Suite struct ModelTests {
  @Test(arguments: StreamKind.allCases, ["ash", "birch", "cedar", "elm"])
  func `a random program runs as the model says (L1 to L20)`(kind: StreamKind, seed: String) {
    var random = SeededGenerator(name: seed)
    for number in 0..<1_000 {
      let program = Program.random(using: &random)
      let real = RealRun(kind, limit: program.limit)
      let model = ModelRun(kind, limit: program.limit)
      let (trace, expected) = (program.run(on: real), program.run(on: model))
      guard trace != expected else { continue }
      let difference = zip(trace, expected).prefix { $0.0 == $0.1 }.count
      Issue.record(
        """
        seed \(seed), program \(number) on a \(kind), differs at entry \(difference):
        \(program)
        real:  \(trace.joined(separator: " "))
        model: \(expected.joined(separator: " "))
        """)
      return
    }
  }

  @Test func `the programs reach what the laws are about`() {
    var random = SeededGenerator(name: "ash")
    var entries: [String: Int] = [:]
    for _ in 0..<1_000 {
      let program = Program.random(using: &random)
      for entry in program.run(on: ModelRun(.bracketed, limit: program.limit)) {
        entries[String(entry.prefix(1)), default: 0] += 1
      }
    }
    // Entered, exited, queued, refused, delivered, hello, goodbye, let go.
    for kind in ["<", ">", "q", "r", "d", "h", "b", "g"] {
      #expect(entries[kind, default: 0] > 500, "too few entries \(kind)")
    }
  }
}

enum StreamKind: CaseIterable, Sendable {
  case signal, variable, bracketed
}

/// Something that can be done to a stream, from outside or inside a sink.
enum Move: Sendable, CustomStringConvertible {
  case send, enqueue, flush
  case subscribe(Int)
  case disconnect(Int)

  static func random(using random: inout SeededGenerator) -> Move {
    let slot = Int.random(in: 0..<Program.slots, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: return .send
    case 4: return Bool.random(using: &random) ? .enqueue : .flush
    case 5..<8: return .subscribe(slot)
    default: return .disconnect(slot)
    }
  }

  var description: String {
    switch self {
    case .send: "send"
    case .enqueue: "enqueue"
    case .flush: "flush"
    case .subscribe(let slot): "+\(slot)"
    case .disconnect(let slot): "-\(slot)"
    }
  }
}

/// What is done from outside, and what the sink of each slot does in its first invocations.
struct Program: Sendable, CustomStringConvertible {
  static let slots = 4

  let limit: Int
  let outside: [Move]
  let inside: [[[Move]]]

  static func random(using random: inout SeededGenerator) -> Program {
    func moves(_ range: ClosedRange<Int>) -> [Move] {
      (0..<Int.random(in: range, using: &random)).map { _ in .random(using: &random) }
    }
    let limit = Bool.random(using: &random) ? 100 : Int.random(in: 1...6, using: &random)
    return Program(
      limit: limit, outside: moves(4...12),
      inside: (0..<slots).map { _ in (0..<5).map { _ in moves(0...3) } })
  }

  func run(on run: any Run) -> [String] {
    run.begin { slot, visit in
      visit < inside[slot].count ? inside[slot][visit] : []
    }
    for move in outside { run.make(move) }
    for slot in 0..<Program.slots { run.make(.disconnect(slot)) }
    return run.trace
  }

  var description: String {
    let sinks = inside.enumerated().map { slot, visits in
      "sink \(slot): " + visits.map { "\($0)" }.joined(separator: " ")
    }
    return (["limit \(limit): \(outside)"] + sinks).joined(separator: "\n")
  }
}

/// A stream, or a model of one, that programs run on.
protocol Run: AnyObject, Sendable {
  /// What has happened so far.
  var trace: [String] { get }
  /// Learns what the sink of a slot does in one of its invocations.
  func begin(_ moves: @escaping @Sendable (_ slot: Int, _ visit: Int) -> [Move])
  func make(_ move: Move)
}
