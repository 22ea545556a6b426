public import Gathering
public import Machine

/// What mending a recording came to.
public struct RecordingRepair: Equatable, Sendable {
  /// How many blocks were kept, of any sort.
  public var blocks = 0
  /// What was lost, by the bytes of the file as it was.
  public var lost: [RecordingProblem] = []

  /// Cuts off a torn end, so that the recording ends with a whole block, and tells what else is
  /// damaged; nothing in the middle is touched.
  ///
  /// Throws `io`, with EBUSY while it is being written, and as opening does.
  public static func repair(
    _ path: String, in storage: any Storage = LiveStorage()
  ) throws(SourceError) -> RecordingRepair {
    let file = try storage.openRecording(path, for: .changing)
    let (repair, good) = try survey(file)
    let end = good.last?.upperBound ?? Format.fileHeaderSize
    do throws(SystemError) {
      if try file.size() > end {
        try file.truncate(to: end)
        try file.sync()
      }
    } catch {
      throw SourceError(error)
    }
    return repair
  }

  /// Copies all whole blocks to a new file, as they are, and leaves the recording alone.
  public static func repair(
    _ path: String, to target: String, in storage: any Storage = LiveStorage()
  ) throws(SourceError) -> RecordingRepair {
    let file = try storage.openRecording(path, for: .reading)
    let (repair, good) = try survey(file)
    let copy = try storage.openRecording(target, for: .creating)
    do throws(SystemError) {
      var end = Format.fileHeaderSize
      try copy.writeAll(try file.bytes(at: 0, count: end), at: 0)
      for range in good {
        try copy.writeAll(try file.bytes(at: range.lowerBound, count: range.count), at: end)
        end += range.count
      }
      try copy.sync()
    } catch {
      throw SourceError(error)
    }
    return repair
  }

  /// Reads everything; the bytes of whole blocks.
  private static func survey(
    _ file: any StoredFile
  ) throws(SourceError) -> (RecordingRepair, [Range<Int>]) {
    var index = try RecordingIndex(of: file)
    try index.scan(file)
    var repair = RecordingRepair()
    var good: [Range<Int>] = []
    repair.lost = index.problems.filter { $0.reason == RecordingProblem.noBlock }
    for (offset, header) in index.places {
      let range = offset..<offset + Format.blockHeaderSize + header.length
      if try RecordingIndex.body(of: header, at: offset, in: file) != nil {
        good.append(range)
      } else {
        repair.lost.append(RecordingProblem(range, "a block is damaged"))
      }
    }
    let size = try file.length()
    if size > index.end {
      repair.lost.append(RecordingProblem(index.end..<size, "the last block is torn"))
    }
    repair.lost.sort { $0.bytes.lowerBound < $1.bytes.lowerBound }
    repair.blocks = good.count
    return (repair, good)
  }
}

extension Storage {
  func openRecording(
    _ path: String, for use: StorageUse
  ) throws(SourceError) -> any StoredFile {
    do {
      return try open(path, for: use)
    } catch {
      throw SourceError(error)
    }
  }
}
