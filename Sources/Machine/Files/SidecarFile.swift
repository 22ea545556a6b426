import Glibc
import Ground

/// The side files of a captured tree: data that a machine provides other than by files (sources
/// C3).
enum SidecarFile {
  /// The lines of a side file, each split at spaces. Throws EOPNOTSUPP if there is no such file.
  static func lines(
    of path: String, in files: some FileTree
  ) throws(SystemError) -> [[Substring]] {
    try newLines(of: PolledFile(path, in: files, limit: limit)) ?? []
  }

  /// The same of a file that is kept; nil if they are those of the reading before.
  static func newLines(of file: PolledFile) throws(SystemError) -> [[Substring]]? {
    do {
      guard try file.hasChanged() else { return nil }
      return String(decoding: file.bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map {
        $0.split(whereSeparator: \.isBlank)
      }
    } catch {
      throw error.code == ENOENT ? SystemError(EOPNOTSUPP, at: file.path) : error
    }
  }

  /// The longest side file accepted.
  static let limit = 1 << 20
}

/// `.gkit/statvfs`: lines of `MOUNTPOINT frsize blocks bfree bavail files ffree`, the mount point
/// percent-encoded.
enum StatisticsFile {
  static let path = "/.gkit/statvfs"

  /// The lines of some mount points, in order.
  static func text(of statistics: [String: FileSystemStatistics]) -> String {
    statistics.sorted { $0.key < $1.key }.map { mountPoint, sizes in
      let numbers = [
        sizes.blockSize, sizes.blocks, sizes.blocksFree, sizes.blocksAvailable, sizes.inodes,
        sizes.inodesFree,
      ]
      let words = [percentEncoded(mountPoint)] + numbers.map { "\($0)" }
      return words.joined(separator: " ") + "\n"
    }.joined()
  }

  /// A text without spaces, line feeds and other bytes that a line could not hold.
  private static func percentEncoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { encoded, byte in
      if (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "%") {
        encoded.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += "%" + (byte < 16 ? "0" : "") + digits
      }
    }
  }

  /// The bytes an encoded text stands for; nil when an escape is broken.
  fileprivate static func percentDecoded(_ text: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexDigit),
        let low = rest.popFirst().flatMap(hexDigit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}

/// The sizes of the file systems of a captured tree: its side file, which is kept open, and taken
/// apart only when it has changed.
final class StatisticsTable: Sendable {
  private let known = Claimed(Known())

  private struct Known {
    private var file: PolledFile?
    /// By mount point; nil where a line is malformed.
    private var lines: [(mountPoint: [UInt8], sizes: FileSystemStatistics?)] = []

    mutating func statistics(
      of mountPoint: String, in files: some FileTree
    ) throws(SystemError) -> FileSystemStatistics {
      let path = StatisticsFile.path
      let file = file ?? PolledFile(path, in: files, limit: SidecarFile.limit)
      self.file = file
      if let words = try SidecarFile.newLines(of: file) { lines = words.compactMap(Self.line) }
      guard let line = lines.first(where: { $0.mountPoint.elementsEqual(mountPoint.utf8) }) else {
        throw SystemError(EOPNOTSUPP, at: mountPoint)
      }
      guard let sizes = line.sizes else { throw SystemError(EINVAL, at: path) }
      return sizes
    }

    private static func line(
      _ words: [Substring]
    ) -> (mountPoint: [UInt8], sizes: FileSystemStatistics?)? {
      guard let mountPoint = words.first.flatMap(StatisticsFile.percentDecoded) else { return nil }
      let numbers = words.dropFirst().compactMap { UInt64($0) }
      guard numbers.count == 6, words.count == 7 else { return (mountPoint, nil) }
      let sizes = FileSystemStatistics(
        blockSize: numbers[0], blocks: numbers[1], blocksFree: numbers[2],
        blocksAvailable: numbers[3], inodes: numbers[4], inodesFree: numbers[5])
      return (mountPoint, sizes)
    }
  }

  /// The sizes of the file system at a mount point; without a line EOPNOTSUPP.
  func statistics(
    of mountPoint: String, in files: some FileTree
  ) throws(SystemError) -> FileSystemStatistics {
    let found = try known.withClaim { (known) throws(SystemError) in
      try known.statistics(of: mountPoint, in: files)
    }
    if let found { return found }
    // Another thread uses the table at this moment.
    var own = Known()
    return try own.statistics(of: mountPoint, in: files)
  }
}
