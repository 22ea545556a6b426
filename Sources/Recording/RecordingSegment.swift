import Gathering
import Ground
import Machine
import Values

/// One file of a recording that is being written: whole blocks, kept in memory until they are on
/// the device, so that a failed write can be repeated.
struct RecordingSegment: Sendable {
  /// The file and the blocks still to write.
  private var file: AppendedFile
  /// Its place among the files of the recording, from 0.
  let number: Int
  /// When it was begun, on the recorder's boot clock.
  let birth: Int64
  private var nextBlock: UInt32
  /// How many blocks it has of each series, which it has described.
  private var introduced: [UInt32: Int] = [:]
  private(set) var hasRows = false

  /// A file whose first `size` bytes exist already.
  init(_ file: any StoredFile, number: Int, birth: Int64, size: Int = 0, nextBlock: UInt32 = 0) {
    self.file = AppendedFile(file, size: size)
    self.number = number
    self.birth = birth
    self.nextBlock = nextBlock
    if size == 0 { self.file.append(Format.fileHeader) }
  }

  /// Its path.
  var path: String { file.path }

  /// How many bytes wait to be on the device.
  var held: Int { file.held }

  /// How long it will be.
  var size: Int { file.size }

  /// Whether everything is on the device.
  var isSettled: Bool { file.isSettled }

  mutating func append(_ type: BlockType, _ body: [UInt8], of series: UInt32? = nil) {
    file.append(BlockHeader.block(type, number: nextBlock, body: body, series: series))
    nextBlock &+= 1
    if type == .rows { hasRows = true }
  }

  mutating func append(_ type: BlockType, _ facts: ValueDictionary) {
    // Nothing in these facts is more than JSON can say.
    guard let text = try? Value.dictionary(facts).json() else { return }
    append(type, Array(text.utf8))
  }

  /// Appends the opening twice, so that one damaged block does not hide it.
  mutating func append(_ opening: RecordedOpening) {
    for _ in 0..<2 { append(.opening, opening.dictionary) }
  }

  /// Appends an event of a series.
  mutating func append(_ event: RecordedEvent, of series: RecordedSeries) {
    // Nothing in these facts is more than JSON can say.
    guard let text = try? Value.dictionary(event.dictionary).json() else { return }
    append(.event, Array(text.utf8), of: series)
  }

  /// Appends a block of a series. The series is described before its first block, after it, and
  /// again now and then, so that one damaged block does not hide the description, which may have
  /// further members.
  mutating func append(
    _ type: BlockType, _ body: [UInt8], of series: RecordedSeries, besides: ValueDictionary = [:]
  ) {
    let count = introduced[series.number] ?? 0
    var description = ValueDictionary()
    if count % 256 == 0 {
      description = series.dictionary
      for (name, value) in besides { description[name] = value }
      append(.series, description)
    }
    append(type, body, of: series.number)
    if count == 0 { append(.series, description) }
    introduced[series.number] = count + 1
  }

  /// Writes the queued blocks, and synchronises the file if asked to.
  mutating func write(andSync mustSync: Bool) throws(SystemError) {
    try file.write(andSync: mustSync)
  }

  /// Closes the file: another recorder may open it from now on.
  mutating func close() { file.close() }
}
