import Ground
import Machine

/// A file to which whole chunks are appended. They are kept in memory until they are on the device,
/// so that a failed write can be repeated.
struct AppendedFile: Sendable {
  /// The file, until it is closed.
  private var file: (any StoredFile)?
  /// Its path.
  let path: String
  /// The chunks to write after `synced`.
  private var chunks: [[UInt8]] = []
  /// The number of chunks written.
  private var writtenCount = 0
  /// The number of bytes that are certainly on the device.
  private var synced: Int
  /// Behind the last chunk written.
  private var end: Int
  /// Whether an attempt failed: the content of the file after `synced` is then undefined.
  private var isTorn = false

  /// A file whose first `size` bytes exist already.
  init(_ file: any StoredFile, size: Int) {
    self.file = file
    path = file.path
    synced = size
    end = size
  }

  /// How many bytes wait to be on the device.
  var held: Int { chunks.reduce(0) { $0 + $1.count } }

  /// How long it will be.
  var size: Int { synced + held }

  /// Whether everything is on the device.
  var isSettled: Bool { chunks.isEmpty }

  mutating func append(_ chunk: [UInt8]) { if !chunk.isEmpty { chunks.append(chunk) } }

  /// Writes the queued chunks, and synchronises the file if asked to.
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
      // Now rather than later, so that a reader finds whole chunks meanwhile; it is done again
      // before the next attempt.
      try? file.truncate(to: synced)
      throw error
    }
  }

  /// Closes the file: another writer may open it from now on.
  mutating func close() { file = nil }
}
