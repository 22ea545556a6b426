import Gathering
import Ground
import Machine

@testable import Recording

/// Recordings, and blocks of rows without the check sums in front of them: whatever they say.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Input(data, count).bytes
  readRows(bytes)
  let storage = FewFiles(["a.gkr": bytes])
  guard let file = try? RecordingParts("a.gkr", in: storage) else { return 0 }
  for block in file.blocks {
    require(block.boot.lowerBound <= block.boot.upperBound, "times are in order")
    if let rows = try? file.rows(of: block) {
      require(rows.rowCount == block.rowCount, "a block has the rows its first bytes tell")
    }
  }
  for table in (try? RecordedTable.all(of: file)) ?? [] {
    var cursor = table.cursor
    for _ in 0..<8 {
      guard let batch = try? cursor.next() else { break }
      require(batch.columns.count == table.columns.count, "a batch has all columns")
      require(batch.times.count == batch.rowCount, "a batch has a time a row")
    }
  }
  let places = file.problems.compactMap(\.bytes)
  require(places.allSatisfy { $0.upperBound <= bytes.count }, "problems lie in the file")
  let rows = query(file)
  play(file)
  guard (try? RecordingRepair.repair("a.gkr", in: storage)) != nil,
    let mended = try? RecordingParts("a.gkr", in: storage)
  else {
    require(false, "what can be read can be mended")
    return 0
  }
  _ = try? mended.verify()
  require(mended.problems.isEmpty, "a mended file has no problems")
  require(query(mended) == rows, "mending keeps every row")
  return 0
}

/// How many rows a query gives.
private func query(_ file: RecordingParts) -> Int {
  guard var rows = try? file.rows(RecordingQuery()) else { return 0 }
  var count = 0
  while let row = try? rows.next() { count += row.rows.rowCount > row.row ? 1 : 0 }
  return count
}

/// Plays every source as a context does.
private func play(_ file: RecordingParts) {
  guard let replay = try? Replay(file) else { return }
  require(replay.duration >= 0, "a recording does not end before it begins")
  for kind in replay.kinds {
    for instance in replay.instances(of: kind) {
      guard let rows = try? replay.rows(of: instance, of: kind) else { continue }
      var moment = Int64.min
      while let next = try? rows.nextRow(after: moment) {
        require(next > moment, "a replay goes on")
        for block in (try? rows.blocks(after: moment, through: next)) ?? [] {
          require(block.loss == nil || block.hasGap, "behind a loss is a gap")
        }
        moment = next
      }
      _ = try? rows.state(at: moment)
      _ = rows.lossAtEnd()
    }
  }
}

/// What reads can be written, and is then the same.
private func readRows(_ body: [UInt8]) {
  guard let table = try? RowTable(body: body) else { return }
  let rows = RecordedRows(series: 0, table)
  var again = RowTable(properties: rows.propertyCount)
  let kept = min(rows.rowCount, 64)
  for row in 0..<kept {
    let samples = rows.samples(ofRow: row)
    require(samples.count == rows.propertyCount, "a row has all properties")
    again.append(samples)
  }
  guard rows.propertyCount > 0 else { return }
  var scales = [Numbers.Scale?](repeating: nil, count: rows.propertyCount)
  let written = try? RowTable(body: again.body(ofSeries: 0, scales: &scales))
  require(written?.rowCount == kept, "what was read can be written")
  for property in 0..<rows.propertyCount {
    let (left, right) = (
      rows.sample(row: 0, property: property), written?.sample(row: 0, property: property)
    )
    require(left == right, "what was written reads the same")
  }
}

/// Files in memory.
private final class FewFiles: FileStorage {
  private let files: Monitor<[String: [UInt8]]>

  init(_ files: [String: [UInt8]]) { self.files = Monitor(files) }

  func open(_ path: String, for use: StorageUse) throws(SystemError) -> any StoredFile {
    OneFile(path: path, files: files)
  }
  func names(in folder: String) throws(SystemError) -> [String] { [] }
  func remove(_ path: String) throws(SystemError) { files.withLock { $0[path] = nil } }
  func replacement(of path: String) throws(SystemError) -> any StoredFile {
    files.withLock { $0[path + ".new"] = [] }
    return OneFile(path: path + ".new", files: files)
  }
  func move(_ path: String, to other: String) throws(SystemError) {
    files.withLock { $0[other] = $0.removeValue(forKey: path) }
  }
}

private struct OneFile: StoredFile {
  let path: String
  let files: Monitor<[String: [UInt8]]>

  private var bytes: [UInt8] { files.withLock { $0[path] ?? [] } }

  func size() throws(SystemError) -> Int { bytes.count }
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    let part = bytes.dropFirst(offset).prefix(buffer.count)
    buffer.copyBytes(from: part)
    return part.count
  }
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int {
    require(offset == self.bytes.count, "what is mended is written from its beginning to its end")
    files.withLock { $0[path, default: []] += bytes }
    return bytes.count
  }
  func sync() throws(SystemError) {}
  func truncate(to size: Int) throws(SystemError) {
    files.withLock { $0[path] = Array(($0[path] ?? []).prefix(size)) }
  }
}
