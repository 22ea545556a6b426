import Gathering
import Machine

/// One file of a recording as it is written: whole blocks, kept in memory until they are on the
/// device, so that whatever fails can be done again.
struct RecordingSegment: Sendable {
  /// What it is written to, until it is closed.
  private var file: (any StoredFile)?
  /// Its path.
  let path: String
  /// Its place among the files of the recording, from 0.
  let number: Int
  /// When it was begun, on the recorder's boot clock.
  let birth: Int64
  /// The blocks, and what else is to be written, behind `synced`.
  private var chunks: [[UInt8]] = []
  /// How many of them have been written.
  private var writtenCount = 0
  /// What is on the device for certain.
  private var synced: Int
  /// Behind the last block written.
  private var end: Int
  /// Whether an attempt failed: what the file has behind `synced` is then nothing to go by.
  private var isTorn = false
  private var nextBlock: UInt32
  /// How many blocks of rows it has of each series, which it has introduced.
  private var introduced: [UInt32: Int] = [:]
  private(set) var hasRows = false

  /// A file whose first bytes, so many, stand already.
  init(_ file: any StoredFile, number: Int, birth: Int64, size: Int = 0, nextBlock: UInt32 = 0) {
    self.file = file
    path = file.path
    self.number = number
    self.birth = birth
    self.nextBlock = nextBlock
    synced = size
    end = size
    if size == 0 { chunks.append(Format.fileHeader) }
  }

  /// How many bytes wait to be on the device.
  var held: Int { chunks.reduce(0) { $0 + $1.count } }

  /// How long it will be.
  var size: Int { synced + held }

  /// Whether everything is on the device.
  var isSettled: Bool { chunks.isEmpty }

  mutating func append(_ type: BlockType, _ body: [UInt8]) {
    chunks.append(BlockHeader.block(type, number: nextBlock, body: body))
    nextBlock &+= 1
    if type == .rows { hasRows = true }
  }

  mutating func append(_ type: BlockType, _ facts: ValueDictionary) {
    // Nothing in these facts is more than JSON can say.
    guard let text = try? Value.dictionary(facts).json() else { return }
    append(type, Array(text.utf8))
  }

  /// Says what a series is before its first block, and again now and then: what is damaged then
  /// costs its name only in part.
  mutating func introduce(_ series: RecordedSeries) {
    let count = introduced[series.number] ?? 0
    if count % 256 == 0 { append(.series, series.dictionary) }
    introduced[series.number] = count + 1
  }

  /// Writes what waits, and has it on the device if asked to.
  mutating func write(andSync mustSync: Bool) throws(SystemError) {
    guard let file else { return }
    do {
      if isTorn {
        try file.truncate(to: synced)
        (end, writtenCount, isTorn) = (synced, 0, false)
      }
      while writtenCount < chunks.count {
        try file.writeAll(chunks[writtenCount], at: end)
        end += chunks[writtenCount].count
        writtenCount += 1
      }
      guard mustSync, !chunks.isEmpty else { return }
      try file.sync()
      synced = end
      chunks = []
      writtenCount = 0
    } catch {
      isTorn = true
      // Now rather than later, so that whoever reads meanwhile finds whole blocks; it is done again
      // before the next attempt.
      try? file.truncate(to: synced)
      throw error
    }
  }

  /// Lets the file go: another recorder may have it from now on.
  mutating func close() { file = nil }
}
