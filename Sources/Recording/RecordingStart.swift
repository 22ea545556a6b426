import Gathering
import Ground
import Machine

/// A file prepared for writing: a new one, or one that is continued.
struct RecordingStart: Sendable {
  let names: SegmentNames
  var segment: RecordingSegment
  /// The numbers of the files there are, the one to be written last.
  var segments: [Int]
  var nextSeries: UInt32 = 0

  /// Creates or opens the file, and writes the opening. Throws `io` with EEXIST if the recording
  /// exists and is to be refused, with EBUSY if another recorder writes it.
  init(
    _ path: String, _ options: RecorderOptions, in storage: any FileStorage, at instant: Instant
  ) throws(SourceError) {
    names = try SegmentNames(path)
    var present = try names.present(in: storage)
    guard present.isEmpty || options.existing != .refuse else {
      throw .io(errno: .exists, place: path)
    }
    if options.existing == .overwrite {
      try Self.removeAll(present, of: names, in: storage)
      present = []
    }
    segments = present
    if let last = present.last {
      segment = try Self.open(last, of: names, in: storage, at: instant, series: &nextSeries)
    } else {
      let file = try storage.openRecording(path, for: .creating)
      segment = RecordingSegment(file, number: 0, birth: instant.boot)
      segments = [0]
    }
    segment.append(RecordedOpening(instant: instant, segment: segment.number))
    do {
      try segment.write(andSync: true)
    } catch {
      throw SourceError(error)
    }
  }

  private static func removeAll(
    _ present: [Int], of names: SegmentNames, in storage: any FileStorage
  ) throws(SourceError) {
    guard let last = present.last else { return }
    // Refused while another writer has it.
    let newest = try storage.openRecording(names.path(ofSegment: last), for: .changing)
    defer { withExtendedLifetime(newest) {} }
    do {
      for number in present { try storage.remove(names.path(ofSegment: number)) }
    } catch {
      throw SourceError(error)
    }
  }

  /// Opens the last file, without its torn end.
  private static func open(
    _ number: Int, of names: SegmentNames, in storage: any FileStorage, at instant: Instant,
    series next: inout UInt32
  ) throws(SourceError) -> RecordingSegment {
    let file = try storage.openRecording(names.path(ofSegment: number), for: .changing)
    let header = try file.read(0, Format.fileHeaderSize)
    // A recorder that ended while it made the file.
    if header.count < Format.fileHeaderSize, Format.fileHeader.starts(with: header) {
      return RecordingSegment(file, number: number, birth: instant.boot)
    }
    var index = try RecordingIndex(of: file)
    try index.scan(file)
    do {
      if try file.size() > index.end { try file.truncate(to: index.end) }
    } catch {
      throw SourceError(error)
    }
    let used = index.series.map(\.number) + index.blocks.map(\.series)
    next = used.max().map { $0 &+ 1 } ?? 0
    return RecordingSegment(
      file, number: number, birth: instant.boot, size: index.end, nextBlock: index.nextNumber)
  }
}
