import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import Recording

/// Into which files a recording goes, and who may write them.
struct RecorderFileTests {
  let folder: TemporaryFolder
  var path: String { folder.path + "/walk.gkr" }

  init() throws { folder = try TemporaryFolder() }

  func record(_ numbers: ClosedRange<Int64>, _ change: (inout RecorderOptions) -> Void) throws {
    var options = RecorderOptions()
    change(&options)
    let recorder = try Recorder(to: path, options: options)
    for number in numbers {
      try recorder.append(Sample(.int(number), time: number), named: "n")
      if number % 10 == 0 { try recorder.flush() }
    }
    try recorder.close()
  }

  @Test func `a recording that is there is refused, gone on with or replaced`() throws {
    try record(1...5) { _ in }
    #expect(throws: SourceError.io(errno: .exists, place: path)) { try record(6...9) { _ in } }
    try record(6...9) { $0.existing = .append }
    let file = try RecordingFile(path)
    #expect(try file.integers(of: "n") == Array(1...9))
    #expect(file.openings.count == 2 && file.blocks.map(\.part) == [0, 1])
    #expect(file.series.map(\.number) == [0, 1] && file.problems == [])
    try record(1...2) { $0.existing = .overwrite }
    #expect(try RecordingFile(path).integers(of: "n") == [1, 2])
  }

  @Test func `a torn end is cut off before a recording goes on`() throws {
    try record(1...5) { _ in }
    let file = try LiveStorage().open(path, for: .reading)
    let bytes = try file.bytes(at: 0, count: try file.size())
    for lost in [1, 30, 60] {
      try folder.write(Array(bytes.dropLast(lost)), to: "/walk.gkr")
      try record(6...7) { $0.existing = .append }
      let again = try RecordingFile(path)
      #expect(again.problems == [] && again.isClosed)
      #expect(try again.integers(of: "n").suffix(2) == [6, 7])
    }
    for length in 0..<Format.fileHeaderSize {
      try folder.write(Array(bytes.prefix(length)), to: "/walk.gkr")
      try record(6...7) { $0.existing = .append }
      #expect(try RecordingFile(path).integers(of: "n") == [6, 7])
    }
    try folder.write(Array("no recording at all".utf8), to: "/walk.gkr")
    #expect(throws: SourceError.self) { try record(1...1) { $0.existing = .append } }
  }

  @Test func `two recorders never write one file`() throws {
    let recorder = try Recorder(to: path)
    for existing in [RecorderOptions.Existing.append, .overwrite] {
      var options = RecorderOptions()
      options.existing = existing
      #expect(throws: SourceError.io(errno: .inUse, place: path)) {
        _ = try Recorder(to: path, options: options)
      }
    }
    #expect(throws: SourceError.io(errno: .inUse, place: path)) {
      try RecordingRepair.repair(path)
    }
    try recorder.append(Sample(.int(1)), named: "n")
    try recorder.close()
    #expect(try RecordingFile(path).integers(of: "n") == [1])
  }

  @Test func `files that are long enough are followed by others, each of which stands alone`()
    throws
  {
    try record(1...200) { $0.rotateBytes = 600 }
    let names = try SegmentNames(path)
    let present = try names.present(in: LiveStorage())
    #expect(present.count > 3 && present == Array(0..<present.count))
    var numbers: [Int64] = []
    for number in present {
      let file = try RecordingFile(names.path(ofSegment: number))
      #expect(file.openings.map(\.segment) == [number])
      #expect(file.series.map(\.name) == ["n"] && file.isClosed)
      let size = try LiveStorage().open(file.path, for: .reading).size()
      #expect(size < 1000)
      numbers += try file.integers(of: "n")
    }
    #expect(numbers == Array(1...200))
    try record(201...210) { $0.existing = .append }
    let last = try RecordingFile(names.path(ofSegment: present.count - 1))
    #expect(try last.integers(of: "n").suffix(10) == Array(201...210))
  }

  @Test func `only as many files are kept as asked for`() throws {
    try record(1...200) {
      $0.rotateBytes = 600
      $0.keep = 2
    }
    let names = try SegmentNames(path)
    let present = try names.present(in: LiveStorage())
    #expect(present.count == 2 && present[0] > 1)
    #expect(throws: SourceError.io(errno: .exists, place: path)) { try record(1...1) { _ in } }
    try record(1...1) { $0.existing = .overwrite }
    #expect(try names.present(in: LiveStorage()) == [0])
  }

  @Test func `files that are old enough are followed by others`() throws {
    let clock = VirtualTime()
    var options = RecorderOptions()
    options.rotateInterval = 60_000_000_000
    let recorder = try Recorder(to: path, options: options, clock: clock)
    for minute in 0..<4 {
      try recorder.append(Sample(.int(Int64(minute))), named: "n")
      try recorder.flush()
      clock.advance(to: Int64(minute + 1) * 61_000_000_000)
    }
    try recorder.close()
    #expect(try SegmentNames(path).present(in: LiveStorage()) == [0, 1, 2, 3])
  }

  @Test func `options out of range are refused before anything is made`() throws {
    let changes: [(inout RecorderOptions) -> Void] = [
      { $0.blockRows = 0 }, { $0.blockRows = 65_537 }, { $0.blockBytes = 0 },
      { $0.blockInterval = 0 }, { $0.syncInterval = -1 }, { $0.memoryLimit = 0 },
      { $0.rotateBytes = 0 }, { $0.rotateInterval = 0 }, { $0.keep = 0 },
    ]
    for change in changes {
      #expect(throws: SourceError.self) { try record(1...1, change) }
    }
    #expect(try SegmentNames(path).present(in: LiveStorage()) == [])
  }
}
