import Glibc
import Ground

/// The side files of a captured tree: data that a machine provides other than by files (sources
/// C3).
enum SidecarFile {
  /// The lines of a side file, each split at spaces. Throws EOPNOTSUPP if there is no such file.
  static func lines(
    of path: String, in files: some FileTree
  ) throws(SystemError) -> [[Substring]] {
    do {
      let bytes = try PolledFile(path, in: files, limit: 1 << 20).read()
      return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map {
        $0.split(whereSeparator: \.isWhitespace)
      }
    } catch {
      throw error.code == ENOENT ? SystemError(EOPNOTSUPP, at: path) : error
    }
  }
}

/// `.gkit/statvfs`: lines of `MOUNTPOINT frsize blocks bfree bavail files ffree`, the mount point
/// percent-encoded.
enum StatisticsFile {
  static let path = "/.gkit/statvfs"

  static func read(
    from files: some FileTree, mountPoint: String
  ) throws(SystemError) -> FileSystemStatistics {
    let wanted = Array(mountPoint.utf8)
    for words in try SidecarFile.lines(of: path, in: files) {
      guard let name = words.first, percentDecoded(name) == wanted else { continue }
      let numbers = words.dropFirst().compactMap { UInt64($0) }
      guard numbers.count == 6, words.count == 7 else { throw SystemError(EINVAL, at: path) }
      return FileSystemStatistics(
        blockSize: numbers[0], blocks: numbers[1], blocksFree: numbers[2],
        blocksAvailable: numbers[3], inodes: numbers[4], inodesFree: numbers[5])
    }
    throw SystemError(EOPNOTSUPP, at: mountPoint)
  }

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
  private static func percentDecoded(_ text: Substring) -> [UInt8]? {
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
