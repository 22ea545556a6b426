/// The constants of the format: Decisions/0012-The-recording-format.md.
package enum Format {
  /// The first bytes of a file. They are not text, and are changed by programs that treat the file
  /// as text.
  static let magic: [UInt8] = [0x8B, 0x47, 0x4B, 0x52, 0x0D, 0x0A, 0x1A, 0x0A]
  static let major: UInt16 = 1
  static let minor: UInt16 = 0
  static let fileHeaderSize = 16
  package static let blockHeaderSize = 24
  /// The first bytes of each block: no text has them in sequence, as 0xF5 does not occur in UTF-8.
  static let marker: [UInt8] = [0xF5, 0x47, 0x4B, 0xA7]
  /// The longest body of a block, and of one that is JSON.
  package static let bodyLimit = 16 << 20
  package static let textLimit = 1 << 20
  /// The bytes of a block of rows that hold series and times.
  static let rowsHeadSize = 40
  static let rowLimit = 65_536
  /// How many numbers all columns of a block have at most.
  static let numberLimit = 1 << 23
  /// How deep lists and dictionaries may stand in each other.
  static let depthLimit = 64

  /// The series that the body of a block of rows names.
  static func series(of body: [UInt8]) throws(Malformed) -> UInt32 {
    var reader = ByteReader(body)
    return try reader.get32()
  }

  /// The first bytes of a file.
  static var fileHeader: [UInt8] {
    var header = ByteWriter()
    header.put(magic)
    header.put16(major)
    header.put16(minor)
    header.put32(0)
    return header.bytes
  }
}
