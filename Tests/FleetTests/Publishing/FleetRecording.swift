import GatheredKitTesting
import Gathering
import Glibc
import Machine
import Recording
import Values

@testable import Fleet

/// A row as its machine numbers it, and when it was so.
struct NumberedRow: Hashable, Comparable, CustomStringConvertible {
  let realtime: Int64
  let sequence: UInt64

  init?(_ samples: [Sample]) {
    // One that is stale, or not new, says again what was.
    guard let first = samples.first, first.sequence > 0, first.status == .ok,
      first.flags.contains(.isNew)
    else { return nil }
    self.init(first)
  }

  init(_ sample: Sample) { (realtime, sequence) = (sample.realtime, sample.sequence) }

  static func < (left: Self, right: Self) -> Bool { left.realtime < right.realtime }

  var description: String { "\(sequence)" }
}

/// A recorder of a fleet context, of one source.
final class FleetRecording {
  let context: Context
  let source: Source
  let recorder: Recorder
  let diary: Diary
  let path: String

  /// Begins, and returns when all that is told of the source comes here.
  init(
    of id: String, on broker: PrivateBroker, in folder: TemporaryFolder, _ parameters: String = ""
  ) throws {
    context = try broker.fleet(parameters)
    let fleet = context
    Patience.wait { (try? fleet.sources().contains { "\($0.id)" == id }) ?? false }
    source = try context.open(id)
    path = folder.path + "/fleet.gkr"
    recorder = try Recorder(to: path)
    try recorder.add(source)
    diary = Diary(source)
    try source.startUpdating(every: 1_000_000)
    diary.wait { $0[0].sequence > 0 }
  }

  /// The rows that are stored, in the order of their times.
  func rows() throws -> [NumberedRow] {
    try recorder.flush(within: Patience.limit)
    return try Self.rows(of: path)
  }

  static func rows(of path: String) throws -> [NumberedRow] {
    var isAway = false
    var mayRepeat = false
    var known: Set<NumberedRow> = []
    return try samples(of: path).compactMap { samples -> NumberedRow? in
      // What was stale and is good again is the reading that it was, once, also behind rows of it
      // that have come late.
      if let first = samples.first, first.status != .ok {
        if !isAway { (isAway, mayRepeat) = (true, true) }
        return nil
      }
      guard let row = NumberedRow(samples) else { return nil }
      isAway = false
      if known.insert(row).inserted || !mayRepeat { return row }
      mayRepeat = false
      return nil
    }.sorted()
  }

  /// All rows of a recording.
  static func samples(of path: String) throws -> [[Sample]] {
    let parts = try RecordingParts(path)
    return try parts.blocks.flatMap { block -> [[Sample]] in
      let rows = try parts.rows(of: block)
      return (0..<rows.rowCount).map { rows.samples(ofRow: $0) }
    }
  }

  /// The rows of a recording, as what does not depend on when they came here.
  static func contents(of path: String) throws -> [NumberedRow: String] {
    let pairs = try samples(of: path).compactMap { samples -> (NumberedRow, String)? in
      let text = samples.map {
        "\($0.value) \($0.status) \($0.sequence) \($0.absence?.reason ?? "")"
      }
      return NumberedRow(samples).map { ($0, text.joined(separator: "|")) }
    }
    return Dictionary(pairs, uniquingKeysWith: { $1 })
  }

  /// Waits until a row is stored; each block is looked at once.
  func wait(for row: NumberedRow) throws -> Bool {
    var count = 0
    return Patience.wait {
      guard (try? recorder.flush(within: Patience.limit)) != nil,
        let parts = try? RecordingParts(path)
      else { return false }
      defer { count = parts.blocks.count }
      return parts.blocks.dropFirst(count).contains { block in
        guard let rows = try? parts.rows(of: block) else { return false }
        return (0..<rows.rowCount).contains { NumberedRow(rows.samples(ofRow: $0)) == row }
      }
    }
  }

  /// How many blocks are missing so far: none once all before the newest have come.
  var missing: String? {
    _ = try? context.sources(of: source.kind.kind)
    return source.metadata["missing_blocks"]?.text
  }

  func close() throws {
    try recorder.close()
    try context.close()
  }
}

extension [NumberedRow] {
  /// The rows as runs of numbers that follow each other.
  var runs: [ClosedRange<UInt64>] {
    reduce(into: []) { runs, row in
      if let last = runs.last, row.sequence == last.upperBound + 1 {
        runs[runs.count - 1] = last.lowerBound...row.sequence
      } else {
        runs.append(row.sequence...row.sequence)
      }
    }
  }

  /// The places where a number does not follow the one before, within a run.
  var breaks: [String] {
    zip(self, dropFirst()).compactMap { former, next in
      next.sequence == former.sequence + 1 || next.sequence <= 2 && next != former
        ? nil : "\(former) \(next)"
    }
  }
}

extension Sample {
  /// The same as news.
  var news: Sample {
    var sample = self
    sample.flags.insert(.isNew)
    return sample
  }
}

/// How often what is tried is done: `.ci/try-fleet` wants it more often.
enum Rounds {
  static func count(or usual: Int) -> Int {
    getenv("GKIT_ROUNDS").flatMap { Int(String(cString: $0)) } ?? usual
  }
}
