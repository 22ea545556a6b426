import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing
import Values

@testable import Recording

/// The files of one recording are read as one.
struct RecordingPartsTests {
  let folder: TemporaryFolder
  var path: String { folder.path + "/walk.gkr" }

  init() throws { folder = try TemporaryFolder() }

  /// Records numbers into several files, ten a block; how many files.
  private func record(_ numbers: ClosedRange<Int64>, keep: Int? = nil) throws -> Int {
    var options = RecorderOptions()
    options.existing = .append
    options.rotateBytes = 600
    options.keep = keep
    let recorder = try Recorder(to: path, options: options, clock: VirtualTime())
    for number in numbers {
      let sample = Sample(.int(number), time: number * 10, realtime: number * 10 + 3)
      try recorder.append(sample, named: number % 3 == 0 ? "b" : "a")
      if number % 10 == 0 { try recorder.flush() }
    }
    try recorder.close()
    return try SegmentNames(path).present(in: LiveStorage()).count
  }

  private func name(_ number: Int) -> String { number == 0 ? "/walk.gkr" : "/walk.\(number).gkr" }

  private func numbers(of path: String) throws -> [Int64] {
    try numbers(of: RecordingParts(path))
  }

  private func numbers(of parts: RecordingParts) throws -> [Int64] {
    var rows = try parts.rows(RecordingQuery())
    var numbers: [Int64] = []
    while let row = try rows.next() {
      if case .int(let number) = row.sample(at: 0).value { numbers.append(number) }
    }
    return numbers
  }

  @Test func `all files are read as one, in order`() throws {
    let count = try record(1...200)
    let parts = try RecordingParts(path)
    #expect(count > 3 && parts.files.count == count)
    #expect(parts.series.map(\.name) == ["a", "b"] && parts.problems == [])
    #expect(try numbers(of: parts) == Array(1...200))
    #expect(parts.blocks.reduce(0) { $0 + $1.rowCount } == 200)
    #expect(parts.blocks(of: 1).reduce(0) { $0 + $1.rowCount } == 66)
    #expect(parts.realtime == 13...2003 && parts.boot == 10...2000 && parts.isClosed)
    #expect(parts.openings.count == count && parts.openings.dropFirst().allSatisfy(\.continues))
    #expect(try parts.verify() == parts.blocks.count && parts.tail() == 0)
    let middle = try RecordingFile(folder.path + name(2))
    let alone = try RecordingParts(folder.path + name(2))
    #expect(alone.files.count == 1 && alone.blocks.count == middle.blocks.count)
  }

  @Test func `early files may be gone, others are missed`() throws {
    let count = try record(1...200, keep: 4)
    #expect(count == 4)
    let parts = try RecordingParts(path)
    let last = try numbers(of: parts)
    #expect(parts.problems == [] && last == Array((last.first ?? 0)...200) && last.count > 20)
    let present = try SegmentNames(path).present(in: LiveStorage())
    try LiveStorage().remove(folder.path + name(present[2]))
    let rest = try RecordingParts(path)
    #expect(rest.problems.map(\.path) == [folder.path + name(present[2])])
    #expect(rest.problems.map(\.reason) == ["this part is missing"])
    let numbers = try numbers(of: rest)
    #expect(numbers.first == last.first && numbers.last == 200 && numbers.count < last.count)
  }

  @Test func `a part that is foreign, later or damaged is told, and the others are read`() throws {
    let count = try record(1...200)
    let whole = try numbers(of: path)
    let place = folder.path + name(2)
    let file = try LiveStorage().open(place, for: .reading)
    let bytes = try file.bytes(at: 0, count: try file.size())
    var later = bytes
    later[8] = 2
    var damaged = bytes
    damaged[bytes.count - 200] ^= 4
    let first = try LiveStorage().open(path, for: .reading)
    let other = try first.bytes(at: 0, count: try first.size())
    for (content, word) in [
      (Array("no recording".utf8), "no recording"), (later, "version 2"), ([], "no recording"),
      (other, "another recording"), (damaged, ""),
    ] {
      try folder.write(content, to: name(2))
      let parts = try RecordingParts(path)
      try parts.verify()
      #expect(parts.problems.map(\.path) == [place])
      #expect(parts.problems.allSatisfy { word.isEmpty || $0.reason.contains(word) })
      let numbers = try numbers(of: parts)
      #expect(numbers.count < 200 && numbers.count > 100)
      #expect(numbers == whole.filter(numbers.contains))
      #expect(parts.files.count == (content == damaged ? count : count - 1))
    }
  }

  @Test func `what cannot be read at all is refused as one file is`() throws {
    #expect(throws: SourceError.io(errno: SystemText.noEntry, place: path)) {
      _ = try RecordingParts(path)
    }
    try folder.write(Array("text".utf8), to: "/walk.gkr")
    #expect(throws: SourceError.parse("\(path): this is no recording")) {
      _ = try RecordingParts(path)
    }
  }

  @Test func `what is recorded meanwhile is found, in new files too`() throws {
    let count = try record(1...50)
    let parts = try RecordingParts(path)
    #expect(try numbers(of: parts) == Array(1...50))
    #expect(try record(51...200) > count)
    try parts.refresh()
    #expect(try numbers(of: parts) == Array(1...200))
    #expect(parts.series.map(\.number) == [0, 1])
    for number in 0..<count { try LiveStorage().remove(folder.path + name(number)) }
    try parts.refresh()
    #expect(try numbers(of: parts).last == 200 && parts.problems == [])
  }

  @Test func `series that share a number in two files are told apart by what they are`() throws {
    for name in ["a", "b"] {
      let recorder = try Recorder(to: folder.path + "/\(name).gkr")
      try recorder.append(Sample(.string(name), time: 1, realtime: 1), named: name)
      try recorder.close()
    }
    for (name, target) in [("/a.gkr", "/two.gkr"), ("/b.gkr", "/two.1.gkr")] {
      let file = try LiveStorage().open(folder.path + name, for: .reading)
      var bytes = try file.bytes(at: 0, count: try file.size())
      // As if its openings, which say that it is part 0, had been damaged.
      if target != "/two.gkr" {
        let first = Format.fileHeaderSize
        let size = try #require(BlockHeader(bytes[first...])).blockSize
        for place in [first, first + size] { bytes[place + Format.blockHeaderSize] = 0 }
      }
      try folder.write(bytes, to: target)
    }
    let parts = try RecordingParts(folder.path + "/two.gkr")
    #expect(parts.series.map(\.name) == ["a", "b"] && parts.blocks.map(\.series) == [0, 1])
  }

  @Test func `a recording of very many files keeps few of them open`() throws {
    var options = RecorderOptions()
    options.rotateBytes = 1
    let recorder = try Recorder(to: path, options: options)
    for number in Int64(1)...150 {
      try recorder.append(Sample(.int(number), time: number, realtime: number), named: "n")
      try recorder.flush()
    }
    try recorder.close()
    let before = try LiveStorage().names(in: "/proc/self/fd").count
    let parts = try RecordingParts(path)
    #expect(try numbers(of: parts) == Array(1...150) && parts.files.count == 150)
    // Other tests open files of their own meanwhile.
    #expect(try LiveStorage().names(in: "/proc/self/fd").count < before + 120)
  }
}
