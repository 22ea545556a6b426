import GatheredKitTesting
import Gathering
import Machine
import Testing
import Values

@testable import Recording

/// Files as they may be found: whole, torn, damaged, foreign, of a later version.
struct RecordingFileTests {
  /// A recording of a few blocks, its bytes, and what it holds.
  static func small(
    in folder: TemporaryFolder, blocks: Int = 3
  ) throws -> (path: String, bytes: [UInt8]) {
    let path = folder.path + "/small.gkr"
    let recorder = try Recorder(to: path)
    for block in 0..<blocks {
      for row in 0..<4 {
        let number = Int64(block * 4 + row)
        let sample = Sample(
          .double(Double(number) / 4), time: number * 10, realtime: number * 10 + 3,
          sequence: UInt64(number + 1))
        try recorder.append(sample, named: block == 1 ? "b" : "a")
      }
      try recorder.flush()
    }
    try recorder.close()
    let file = try LiveStorage().open(path, for: .reading)
    return (path, try file.bytes(at: 0, count: try file.size()))
  }

  /// Everything that can be read of a file, by series and in order.
  static func content(of file: RecordingFile) throws -> [String] {
    var lines: [String] = []
    for block in file.blocks {
      guard let rows = try? file.rows(of: block) else { continue }
      for row in 0..<rows.rowCount {
        lines.append("\(block.series) \(rows.samples(ofRow: row).map(\.exact))")
      }
    }
    return lines
  }

  @Test func `a recording tells its series, times and rows`() throws {
    let folder = try TemporaryFolder()
    let (path, _) = try Self.small(in: folder)
    let file = try RecordingFile(path)
    #expect(file.series.map(\.name) == ["a", "b"] && file.series.map(\.width) == [1, 1])
    #expect(file.openings.count == 1 && file.openings[0].library == Version.text)
    #expect(file.boot == 0...110 && file.realtime == 3...113)
    #expect(file.isClosed && file.problems == [])
    #expect(try file.tail() == 0)
    #expect(file.blocks(of: 0).map(\.rowCount) == [4, 4])
    #expect(file.blocks(of: 0, boot: 31...79).isEmpty)
    #expect(file.blocks(of: 0, realtime: 83...83).map(\.boot) == [80...110])
    let rows = try file.rows(of: file.blocks(of: 1)[0])
    #expect(rows.times == [40, 50, 60, 70] && rows.realtimes == [43, 53, 63, 73])
    #expect(rows.numbers(ofPropertyAt: 0)?.numbers == [1, 1.25, 1.5, 1.75])
  }

  @Test func `a file cut at any byte gives all blocks that are whole`() throws {
    let folder = try TemporaryFolder()
    let (path, bytes) = try Self.small(in: folder)
    let whole = try Self.content(of: RecordingFile(path))
    for count in bytes.indices {
      try folder.write(Array(bytes[..<count]), to: "/cut.gkr")
      guard let file = try? RecordingFile(folder.path + "/cut.gkr") else {
        #expect(count < Format.fileHeaderSize)
        continue
      }
      let content = try Self.content(of: file)
      #expect(whole.starts(with: content) && file.problems == [])
      #expect(content.count == file.blocks.count * 4)
      #expect(try !file.isClosed && file.tail() < 400)
    }
  }

  @Test func `no flipped bit gives other rows than were recorded`() throws {
    let folder = try TemporaryFolder()
    let (path, bytes) = try Self.small(in: folder)
    let whole = Set(try Self.content(of: RecordingFile(path)))
    for bit in 0..<bytes.count * 8 {
      var changed = bytes
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      try folder.write(changed, to: "/flipped.gkr")
      guard let file = try? RecordingFile(folder.path + "/flipped.gkr") else {
        #expect(bit < Format.fileHeaderSize * 8)
        continue
      }
      let content = try Self.content(of: file)
      // One block of four rows at most is lost, and told.
      #expect(whole.isSuperset(of: content) && content.count >= whole.count - 4)
      let isLost = content.count < whole.count
      let tail = try file.tail()
      #expect(!isLost || !file.problems.isEmpty || tail > 0)
    }
  }

  @Test(arguments: [
    [], Array("#!/bin/sh\nexit".utf8), Array("SQLite format 3\0...........".utf8),
    [UInt8](repeating: 0, count: 100), Array(Format.magic.dropLast()),
  ])
  func `a foreign file is no recording`(bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    try folder.write(bytes, to: "/foreign")
    let path = folder.path + "/foreign"
    #expect(throws: SourceError.parse("\(path): this is no recording")) {
      _ = try RecordingFile(path)
    }
    #expect(throws: SourceError.io(errno: SystemText.noEntry, place: path + "x")) {
      _ = try RecordingFile(path + "x")
    }
  }

  @Test func `a later major version is refused by its number, a later minor is read`() throws {
    let folder = try TemporaryFolder()
    let (path, bytes) = try Self.small(in: folder)
    var later = bytes
    later[10] = 9
    try folder.write(later, to: "/minor.gkr")
    let read = try Self.content(of: RecordingFile(folder.path + "/minor.gkr"))
    #expect(try read == Self.content(of: RecordingFile(path)))
    later[8] = 2
    try folder.write(later, to: "/major.gkr")
    let error = #expect(throws: SourceError.self) {
      _ = try RecordingFile(folder.path + "/major.gkr")
    }
    #expect(error?.message.contains("version 2") == true)
  }

  @Test func `a block of a later version is passed over`() throws {
    let folder = try TemporaryFolder()
    let (path, bytes) = try Self.small(in: folder)
    var block = BlockHeader.block(.event, number: 90, body: [1, 2, 3])
    block[4] = 77
    let check = BlockHeader.check(of: Array(block[..<20]))
    for place in 0..<4 { block[20 + place] = UInt8(truncatingIfNeeded: check >> UInt32(8 * place)) }
    try folder.write(bytes + block, to: "/later.gkr")
    let file = try RecordingFile(folder.path + "/later.gkr")
    #expect(file.problems == [])
    #expect(try Self.content(of: file) == Self.content(of: RecordingFile(path)))
  }

  @Test func `what is written meanwhile is found by looking again`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/growing.gkr"
    let recorder = try Recorder(to: path)
    let file = try RecordingFile(path)
    #expect(file.blocks.isEmpty && !file.isClosed && file.realtime == nil)
    try recorder.append(Sample(.int(1), time: 1), named: "n")
    try recorder.flush()
    #expect(try file.refresh())
    #expect(file.series.map(\.name) == ["n"] && file.blocks.count == 1)
    #expect(try !file.refresh())
    try recorder.close()
    #expect(try file.refresh() && file.isClosed)
  }
}
