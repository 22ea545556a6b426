import Gathering
import Ground
import Machine

extension Spool {
  /// Looks at the files that are there.
  func load() {
    let present = (try? folder.names.present(in: folder.storage)) ?? []
    lastNumber = present.last ?? -1
    for number in present {
      do throws(SourceError) {
        try load(number)
      } catch {
        setAside(folder.names.path(ofSegment: number), error.message)
      }
    }
    keepLimit()
  }

  private func load(_ number: Int) throws(SourceError) {
    let path = folder.names.path(ofSegment: number)
    let file = try folder.storage.openRecording(path, for: .reading)
    let size = try file.length()
    let reader = size < Format.fileHeaderSize ? nil : try SpoolReader(file)
    guard let reader, reader.count > 0 || reader.damage != nil else {
      // Its writer ended before there was a row.
      try? folder.storage.remove(path)
      return
    }
    // Another device's, with a name that looks like ours.
    guard reader.device == folder.device else { return }
    let segment = SpoolSegment(number: number, session: reader.session, size: size)
    segment.messageCount = reader.count
    segment.damage = reader.damage
    if let known = cursor.known[number], known.session == reader.session {
      segment.settled = known.settled.intersection(RangeSet(0..<reader.count))
    }
    for message in 0..<reader.count where !segment.settled.contains(message) {
      if let (origin, rows) = reader.summary(of: message) {
        segment.left[origin, default: 0] += rows
      }
    }
    if reader.rowsBehind > 0 {
      // Which rows they were is told by what can be read.
      let origin = reader.summary(of: 0)?.origin ?? .stream("")
      losses.append((origin, reader.rowsBehind))
    }
    segments.append(segment)
    removeSettled()
  }

  /// A file that cannot be read gets another name, so that it hinders nothing. One that was set
  /// aside before stays.
  func setAside(_ path: String, _ reason: String) {
    var (bad, count) = (path + ".bad", 1)
    while (try? folder.storage.open(bad, for: .reading)) != nil {
      count += 1
      bad = "\(path).\(count).bad"
    }
    Log.write(.warning, "mqtt", "\(path) cannot be read to its end (\(reason)): it becomes \(bad)")
    try? folder.storage.move(path, to: bad)
  }
}
