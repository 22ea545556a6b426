import Gathering
public import Ground
import Values

/// Where the rows of one block are in a recording, and what times they span.
public struct RecordedBlock: Sendable {
  /// The number of the series.
  public internal(set) var series: UInt32
  /// The same in its file, as its header has it if it does: several files are numbered anew.
  let ownSeries: UInt32
  /// How many rows there are.
  public let rowCount: Int
  /// The earliest and the latest time, on the CLOCK_BOOTTIME of the computer that recorded it.
  public let boot: ClosedRange<Int64>
  /// The earliest and the latest time on CLOCK_REALTIME.
  public let realtime: ClosedRange<Int64>
  /// Which opening it came after, from 0: boot times of two parts may be of two boots.
  public internal(set) var part: Int
  /// The number of the file it is in, of several that are read as one.
  var segment = 0
  /// How many bytes of the file it takes.
  public var byteCount: Int { header.blockSize }
  let offset: Int
  let header: BlockHeader

  /// Reads the first bytes of a body; nil where they cannot be so.
  init?(_ header: BlockHeader, head: ArraySlice<UInt8>, at offset: Int, part: Int) {
    guard header.length >= Format.rowsHeadSize, head.count >= Format.rowsHeadSize else {
      return nil
    }
    var reader = ByteReader(Array(head))
    do {
      series = try reader.get32()
      ownSeries = header.series ?? series
      rowCount = Int(try reader.get32())
      let times = try [reader.get64(), reader.get64(), reader.get64(), reader.get64()]
      guard times[0] <= times[1], times[2] <= times[3],
        (1...Format.rowLimit).contains(rowCount)
      else { return nil }
      boot = times[0]...times[1]
      realtime = times[2]...times[3]
    } catch {
      return nil
    }
    self.part = max(part - 1, 0)
    self.offset = offset
    self.header = header
  }
}

/// The time and the program that began a recording, or a part appended to it.
public struct RecordedOpening: Equatable, Sendable {
  /// When it was opened.
  public let instant: Instant
  /// The version of the library that wrote it.
  public let library: String
  /// Which of the files of one recording it is, from 0.
  public let segment: Int
  /// Whether the recorder of the previous part continued in another file, within the same boot.
  var continues = false

  init(instant: Instant, segment: Int) {
    self.instant = instant
    self.segment = segment
    library = Version.text
  }

  var dictionary: ValueDictionary {
    [
      "boot": .int(instant.boot), "realtime": .int(instant.realtime), "library": .string(library),
      "segment": .int(Int64(segment)),
    ]
  }

  init(_ facts: ValueDictionary) {
    instant = Instant(boot: facts["boot"]?.whole ?? 0, realtime: facts["realtime"]?.whole ?? 0)
    library = facts["library"]?.text ?? ""
    segment = Int(truncatingIfNeeded: facts["segment"]?.whole ?? 0)
  }
}

/// A part of a recording that cannot be read.
public struct RecordingProblem: Equatable, Sendable {
  /// The bytes of the file.
  public let bytes: Range<Int>
  /// The problem, in one clause.
  public let reason: String

  static let noBlock = "no block begins here"

  init(_ bytes: Range<Int>, _ reason: String) {
    self.bytes = bytes
    self.reason = reason
  }
}
