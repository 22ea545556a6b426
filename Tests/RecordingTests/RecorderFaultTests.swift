import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import Recording

/// A disk that fails, fills up or stands still.
struct RecorderFaultTests {
  let folder: TemporaryFolder
  let storage = FaultyStorage()
  var path: String { folder.path + "/walk.gkr" }

  init() throws { folder = try TemporaryFolder() }

  func recorder(_ change: (inout RecorderOptions) -> Void = { _ in }) throws -> Recorder {
    var options = RecorderOptions()
    change(&options)
    return try Recorder(to: path, options: options, in: storage)
  }

  static func append(_ numbers: ClosedRange<Int64>, to recorder: Recorder) throws {
    for number in numbers {
      try recorder.append(Sample(.int(number), time: number), named: "n")
    }
  }

  @Test func `whichever call fails, the file stays whole, the failure is told and mended`() throws {
    // The calls of a recording without a fault: what follows fails each of them in turn.
    let count = try changes(failing: nil, code: 0)
    #expect(count > 20)
    for number in 0..<count {
      for code in [Int32.noSpace, SystemText.io] { try changes(failing: number, code: code) }
    }
  }

  /// Records and rotates while one call fails; how many changing calls there were.
  @discardableResult
  private func changes(failing number: Int?, code: Int32) throws -> Int {
    let storage = FaultyStorage()
    if let number { storage.fail(atChange: number, with: code) }
    let folder = try TemporaryFolder()
    let path = folder.path + "/walk.gkr"
    var options = RecorderOptions()
    options.rotateBytes = 400
    guard let recorder = try? Recorder(to: path, options: options, in: storage) else {
      // Refused where it begins; then there is nothing to lose.
      #expect(number != nil)
      return storage.changes
    }
    var failures = 0
    for part in 0..<5 {
      try Self.append(Int64(part * 10 + 1)...Int64(part * 10 + 10), to: recorder)
      do {
        try recorder.flush()
      } catch {
        failures += 1
        #expect(error.errno == code)
        for segment in try SegmentNames(path).present(in: LiveStorage()) {
          let file = try? RecordingFile(SegmentNames(path).path(ofSegment: segment))
          try file?.verify()
          #expect(file?.problems ?? [] == [])
        }
        try recorder.flush()
      }
    }
    do { try recorder.close() } catch { failures += 1 }
    #expect(failures <= 1 && recorder.statistics.lost == 0)
    let names = try SegmentNames(path)
    let numbers = try names.present(in: LiveStorage()).flatMap { segment in
      // A file that was made and could not be begun has nothing in it.
      (try? RecordingFile(names.path(ofSegment: segment)).integers(of: "n")) ?? []
    }
    #expect(numbers == Array(1...50))
    return storage.changes
  }

  @Test func `a full disk costs what memory cannot hold, and nothing that was there`() throws {
    let recorder = try recorder { $0.memoryLimit = 40_000 }
    try Self.append(1...50, to: recorder)
    try recorder.flush()
    let size = try LiveStorage().open(path, for: .reading).size()
    storage.leaveRoom(for: size + 40)
    try Self.append(51...100, to: recorder)
    #expect(throws: SourceError.io(errno: .noSpace, place: path)) { try recorder.flush() }
    #expect(recorder.statistics.failure == .io(errno: .noSpace, place: path))
    #expect(try RecordingFile(path).integers(of: "n") == Array(1...50))
    #expect(try RecordingFile(path).tail() == 0)
    for part in Int64(1)...20 {
      try Self.append(part * 1000 - 899...part * 1000 + 100, to: recorder)
      _ = try? recorder.flush()
    }
    let lost = recorder.statistics.lost
    #expect(lost > 0 && lost < 20_000)
    storage.leaveRoom(for: .max)
    try recorder.flush()
    #expect(recorder.statistics.failure == nil)
    try Self.append(20_101...20_103, to: recorder)
    try recorder.close()
    let file = try RecordingFile(path)
    let numbers = try file.integers(of: "n")
    #expect(numbers.starts(with: 1...100) && numbers.suffix(3) == [20_101, 20_102, 20_103])
    #expect(UInt64(numbers.count) == 20_103 - lost && numbers == numbers.sorted())
    let told = file.events.filter { $0.what == .lost }.reduce(0) { $0 + $1.rows }
    #expect(told == Int64(lost))
    #expect(RecordingFacts(try RecordingParts(path)).summary["lost"] == .int(told))
    // The first row after each loss says so, and no other.
    let gaps = try file.blocks.flatMap { block -> [Bool] in
      let rows = try file.rows(of: block)
      return (0..<rows.rowCount).map {
        rows.sample(row: $0, property: 0).flags.contains(.gap)
      }
    }
    #expect(gaps == zip(numbers, [0] + numbers).map { $0 != $1 + 1 })
    #expect(gaps.contains(true))
  }

  @Test func `a disk that hangs delays no caller, and memory stays within its bound`() throws {
    let recorder = try recorder { $0.memoryLimit = 100_000 }
    storage.stall(true)
    try Self.append(1...10_000, to: recorder)
    let error = #expect(throws: SourceError.self) { try recorder.flush(within: 50_000_000) }
    if case .timeout? = error {} else { Issue.record("no time-out") }
    let lost = recorder.statistics.lost
    // A row of one sample is taken for some 160 bytes.
    #expect(lost > 9000 && lost < 9990)
    storage.stall(false)
    try recorder.close()
    let file = try RecordingFile(path)
    #expect(try file.integers(of: "n") == Array(1...Int64(10_000 - lost)))
    #expect(file.events.map(\.rows) == [Int64(lost)])
  }

  @Test func `what fails is tried again without being asked`() throws {
    let recorder = try recorder { $0.blockInterval = 1_000_000 }
    storage.fail(.sync, with: SystemText.io)
    try Self.append(1...3, to: recorder)
    #expect(Patience.wait { recorder.statistics.failure != nil })
    storage.fail(.sync, with: nil)
    #expect(Patience.wait { recorder.statistics.failure == nil })
    #expect(try RecordingFile(path).integers(of: "n") == [1, 2, 3])
    try recorder.close()
  }

  @Test func `a disk that still fails when the recorder is closed is told`() throws {
    let recorder = try recorder()
    storage.fail(.write, with: SystemText.io)
    try Self.append(1...3, to: recorder)
    #expect(throws: SourceError.io(errno: SystemText.io, place: path)) { try recorder.close() }
    let file = try RecordingFile(path)
    #expect(try file.blocks.isEmpty && file.problems == [] && file.tail() == 0)
  }

  @Test func `without being asked, rows are on the device after a second at most`() throws {
    let recorder = try recorder {
      $0.blockInterval = 1_000_000
      $0.syncInterval = 1_000_000
    }
    try Self.append(1...3, to: recorder)
    let file = try RecordingFile(path)
    #expect(Patience.wait { (try? file.refresh()) != nil && !file.blocks.isEmpty })
    #expect(try file.integers(of: "n").first == 1)
    withExtendedLifetime(recorder) {}
  }
}
