import Gathering
package import Ground
import Machine
import Values

/// The recording that holds rows until a broker has acknowledged them (fleet F29).
///
/// A file belongs to one session, so nothing is written behind a torn end. The description of a
/// series has the number of its first message, from which the others follow.
package final class Spool {
  /// Rows that are lost, and what they were of.
  package typealias Loss = (origin: RecordedSeries.Origin, rows: Int)

  let folder: SpoolFolder
  let clock: any TimeSource
  let session: String
  /// The files, the oldest first; the last one may be being written.
  var segments: [SpoolSegment] = []
  var cursor: SpoolCursor
  /// The file being written, and the next number of each of its series.
  private var writing: RecordingSegment?
  private var expected: [UInt32: UInt32] = [:]
  private var attempts = WriteAttempts(syncInterval: 1_000_000_000)
  var lastNumber = -1
  /// The file being sent.
  private var reading: (number: Int, reader: SpoolReader)?
  /// What was lost since `takeLosses`.
  var losses: [Loss] = []

  /// What is in a folder, and what a session puts there.
  package init(_ folder: SpoolFolder, session: String, clock: any TimeSource = LiveTime()) {
    (self.folder, self.session, self.clock) = (folder, session, clock)
    cursor = SpoolCursor(folder.cursor, in: folder.storage)
    load()
  }

  /// How many numbers a message takes: its opening, its series, events, rows.
  package static func blocks(behind events: Int) -> UInt32 { UInt32(events) + 3 }

  /// About how long a file becomes.
  private var segmentLimit: Int { max(1 << 16, min(8 << 20, folder.limit / 8)) }

  // MARK: Writing

  /// Whether everything is on the device.
  package var isOnDevice: Bool { writing?.isSettled ?? true }

  /// How many bytes wait to be on the device.
  package var held: Int { writing?.held ?? 0 }

  /// When it wants to write again.
  package var due: Int64 {
    let write = isOnDevice ? Int64.max : attempts.due
    return cursor.isOutdated ? min(write, cursor.due) : write
  }

  /// Takes a message, which the caller sends if `isTaken`; nil where the disk fails.
  package func append(
    _ series: RecordedSeries, number: UInt32, events: [[UInt8]], body: [UInt8], rowCount: Int,
    isTaken: Bool
  ) -> SpoolPlace? {
    guard attempts.failure == nil || attempts.due <= WriteAttempts.now else { return nil }
    // The numbers in a file follow each other.
    let isGap = expected[series.number].map { $0 != number } ?? false
    if let writing, isGap || writing.size + body.count > segmentLimit {
      guard finish() || !isGap else { return nil }
    }
    guard attempts.failure == nil || writing == nil, var file = writing ?? begin(),
      let last = segments.indices.last
    else { return nil }
    let next: ValueDictionary = ["next": .int(Int64(number))]
    for (place, event) in events.enumerated() {
      file.append(.event, event, of: series, besides: place == 0 ? next : [:])
    }
    file.append(.rows, body, of: series, besides: next)
    expected[series.number] = number &+ Self.blocks(behind: events.count)
    let place = SpoolPlace(segment: file.number, message: segments[last].messageCount)
    segments[last].messageCount += 1
    segments[last].size = file.size
    segments[last].left[series.origin, default: 0] += rowCount
    if isTaken { segments[last].taken[place.message] = (series.origin, rowCount) }
    writing = file
    keepLimit()
    return place
  }

  /// Begins a file; nil where that fails.
  private func begin() -> RecordingSegment? {
    let number = lastNumber + 1
    let path = folder.names.path(ofSegment: number)
    do throws(SystemError) {
      let instant = clock.now
      let file = try folder.storage.open(path, for: .creating)
      (lastNumber, expected) = (number, [:])
      attempts.note(nil, hasSynced: false, path: path)
      var segment = RecordingSegment(file, number: number, birth: instant.boot)
      var opening = RecordedOpening(instant: instant, segment: number).dictionary
      (opening["session"], opening["device"]) = (.string(session), .string(folder.device))
      for _ in 0..<2 { segment.append(.opening, opening) }
      segments.append(SpoolSegment(number: number, session: session, size: segment.size))
      return segment
    } catch {
      attempts.note(error, hasSynced: false, path: path)
      return nil
    }
  }

  /// Writes what is due; all of it to the device if asked to.
  package func write(mustSync: Bool) {
    if let held = writing?.held, held > 0 {
      if let isDue = attempts.plan(mustSync: mustSync, isFull: held > 4 << 20) {
        write(andSync: isDue)
      }
    }
    let now = WriteAttempts.now
    if now >= cursor.due { cursor.write(segments, at: now) }
  }

  private func write(andSync isDue: Bool) {
    guard var file = writing else { return }
    do throws(SystemError) {
      try file.write(andSync: isDue)
      attempts.note(nil, hasSynced: isDue, path: file.path)
    } catch {
      attempts.note(error, hasSynced: false, path: file.path)
    }
    writing = file
  }

  /// Ends the file being written; whether that could be done.
  @discardableResult
  private func finish() -> Bool {
    guard let file = writing else { return true }
    if !file.isSettled { write(andSync: true) }
    guard writing?.isSettled == true else { return false }
    writing = nil
    removeSettled()
    return true
  }

  /// Ends writing, with what the broker has told.
  package func close() {
    finish()
    cursor.write(segments, at: WriteAttempts.now)
  }

  // MARK: Limits

  /// How many rows and bytes it holds for the broker.
  package var rowCount: Int { segments.reduce(0) { $0 + $1.rowsLeft } }
  package var byteCount: Int { segments.reduce(0) { $0 + $1.size } }

  /// The oldest file goes as long as there is too much.
  func keepLimit() {
    while byteCount > folder.limit, segments.count > 1 {
      let oldest = segments.removeFirst()
      if reading?.number == oldest.number { reading = nil }
      try? folder.storage.remove(folder.names.path(ofSegment: oldest.number))
      cursor.note()
      losses += oldest.losses
    }
  }

  /// What was lost since this was asked last.
  package func takeLosses() -> [Loss] {
    defer { losses = [] }
    return losses
  }

  // MARK: Sending

  /// Whether it still has what is at a place.
  package func holds(_ place: SpoolPlace) -> Bool {
    segments.contains { $0.number == place.segment }
  }

  /// The broker has a message, or will never take it.
  package func settle(
    _ place: SpoolPlace, _ origin: RecordedSeries.Origin, rows: Int
  ) {
    guard let index = segments.firstIndex(where: { $0.number == place.segment }) else { return }
    segments[index].settle(place.message, origin, rows: rows)
    cursor.note()
    removeSettled()
  }

  /// A message is not sent by the caller after all.
  package func release(_ place: SpoolPlace) {
    guard let index = segments.firstIndex(where: { $0.number == place.segment }) else { return }
    segments[index].taken[place.message] = nil
  }

  /// Takes the oldest message that nothing else sends. A file that cannot be read is set aside.
  package func takeNext() -> SpooledRows? {
    while let index = segments.firstIndex(where: { $0.next != nil }),
      let message = segments[index].next
    {
      let number = segments[index].number
      if writing?.number == number {
        guard finish() else { return nil }
        continue
      }
      do throws(SourceError) {
        if reading?.number != number {
          let path = folder.names.path(ofSegment: number)
          reading = (number, try SpoolReader(try folder.storage.openRecording(path, for: .reading)))
        }
        guard let rows = try reading?.reader.rows(of: message, in: number) else { return nil }
        segments[index].taken[message] = (rows.series.origin, rows.rowCount)
        return rows
      } catch {
        reading = nil
        let bad = segments.remove(at: index)
        losses += bad.losses
        setAside(folder.names.path(ofSegment: number), error.message)
      }
    }
    return nil
  }

  /// Removes the files that the broker has all of; of a damaged one the rest is set aside.
  func removeSettled() {
    for segment in segments where segment.isSettled && segment.number != writing?.number {
      if reading?.number == segment.number { reading = nil }
      let path = folder.names.path(ofSegment: segment.number)
      if let damage = segment.damage {
        setAside(path, damage)
      } else {
        try? folder.storage.remove(path)
      }
    }
    let written = writing?.number
    segments.removeAll { $0.isSettled && $0.number != written }
  }
}
