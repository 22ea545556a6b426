import GatheredKitTesting
import Gathering
import Ground
import Machine
import Testing

@testable import Recording

/// Mending keeps every whole block and says what it could not keep.
struct RecordingRepairTests {
  @Test func `in place, a torn end goes and nothing else`() throws {
    let folder = try TemporaryFolder()
    let (path, bytes) = try RecordingFileTests.small(in: folder)
    for count in stride(from: Format.fileHeaderSize, to: bytes.count, by: 11) {
      try folder.write(Array(bytes[..<count]), to: "/small.gkr")
      let before = try RecordingFile(path)
      let (content, tail) = (try RecordingFileTests.content(of: before), try before.tail())
      let repair = try RecordingRepair.repair(path)
      #expect(repair.lost.map(\.bytes.count) == (tail == 0 ? [] : [tail]))
      let after = try RecordingFile(path)
      #expect(try after.tail() == 0 && after.problems == [])
      #expect(try RecordingFileTests.content(of: after) == content)
    }
  }

  @Test func `a copy has all whole blocks and no others`() throws {
    let folder = try TemporaryFolder()
    let (path, bytes) = try RecordingFileTests.small(in: folder, blocks: 4)
    let blocks = try RecordingFile(path).blocks
    var damaged = bytes
    // One body, one header, and a torn end.
    damaged[blocks[1].offset + 50] ^= 1
    damaged[blocks[2].offset] = 0
    damaged += bytes[blocks[0].offset..<blocks[0].offset + 30]
    try folder.write(damaged, to: "/small.gkr")
    let copy = folder.path + "/copy.gkr"
    let repair = try RecordingRepair.repair(path, to: copy)
    #expect(
      repair.lost.map(\.bytes.lowerBound) == [
        blocks[1].offset, blocks[2].offset, bytes.count,
      ])
    let file = try RecordingFile(copy)
    try file.verify()
    #expect(try file.problems == [] && file.tail() == 0)
    #expect(file.blocks.map(\.boot) == [blocks[0].boot, blocks[3].boot])
    let untouched = try RecordingFile(path)
    try untouched.verify()
    #expect(untouched.problems.count == 2)
    #expect(throws: SourceError.io(errno: .exists, place: copy)) {
      try RecordingRepair.repair(path, to: copy)
    }
  }
}
