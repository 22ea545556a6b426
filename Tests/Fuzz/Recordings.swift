import Gathering
import Machine

@testable import Recording

/// Recordings, and blocks of rows without the check sums in front of them: whatever they say.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Input(data, count).bytes
  readRows(bytes)
  guard let file = try? RecordingParts("a.gkr", in: OneFile(bytes: bytes)) else { return 0 }
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
  return 0
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

/// A storage of one file, which is in memory.
private struct OneFile: Storage, StoredFile {
  let bytes: [UInt8]
  var path: String { "" }

  func open(_ path: String, for use: StorageUse) throws(SystemError) -> any StoredFile { self }
  func names(in folder: String) throws(SystemError) -> [String] { [] }
  func remove(_ path: String) throws(SystemError) {}
  func replacement(of path: String) throws(SystemError) -> any StoredFile { self }
  func move(_ path: String, to other: String) throws(SystemError) {}
  func size() throws(SystemError) -> Int { bytes.count }
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    let part = bytes.dropFirst(offset).prefix(buffer.count)
    buffer.copyBytes(from: part)
    return part.count
  }
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int { 0 }
  func sync() throws(SystemError) {}
  func truncate(to size: Int) throws(SystemError) {}
}
