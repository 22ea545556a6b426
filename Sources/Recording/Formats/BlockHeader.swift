import CLinux

/// The content of a block.
package enum BlockType: UInt16 {
  case opening = 1
  case series = 2
  case rows = 3
  case event = 4
  case closing = 5
}

/// The first bytes of a block.
package struct BlockHeader: Sendable {
  /// Types of later versions have a number only.
  package var type: UInt16
  var flags: UInt16 = 0
  package var length: Int
  package var number: UInt32
  package var bodyCheck: UInt32

  /// How many bytes header and body take.
  package var blockSize: Int { Format.blockHeaderSize + length }

  /// The series of the rows in the block, readable without the body; nil if the header does not
  /// have it.
  var series: UInt32? { type == BlockType.rows.rawValue && flags > 0 ? UInt32(flags) - 1 : nil }

  /// A whole block: header and body; of rows, those of a series.
  package static func block(
    _ type: BlockType, number: UInt32, body: [UInt8], series: UInt32? = nil
  ) -> [UInt8] {
    var block: [UInt8] = []
    block.reserveCapacity(Format.blockHeaderSize + body.count)
    append(type, number: number, body: body, series: series, to: &block)
    return block
  }

  /// Appends a whole block.
  package static func append(
    _ type: BlockType, number: UInt32, body: [UInt8], series: UInt32?, to bytes: inout [UInt8]
  ) {
    var header = ByteWriter()
    header.put(Format.marker)
    header.put16(type.rawValue)
    header.put16(type == .rows ? series.flatMap { UInt16(exactly: UInt64($0) + 1) } ?? 0 : 0)
    header.put32(UInt32(body.count))
    header.put32(number)
    header.put32(check(of: body))
    header.put32(check(of: header.bytes))
    bytes += header.bytes
    bytes += body
  }

  /// Reads a header; nil if the bytes are none.
  package init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count >= Format.blockHeaderSize, bytes.starts(with: Format.marker) else {
      return nil
    }
    let header = Array(bytes.prefix(Format.blockHeaderSize))
    var reader = ByteReader(header, from: Format.marker.count)
    do {
      type = try reader.get16()
      flags = try reader.get16()
      length = Int(try reader.get32())
      number = try reader.get32()
      bodyCheck = try reader.get32()
      let isWhole = try reader.get32() == Self.check(of: Array(header.dropLast(4)))
      guard isWhole, length <= Format.bodyLimit else { return nil }
    } catch {
      return nil
    }
  }

  /// CRC-32C.
  package static func check(of bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBufferPointer { all in
      all.baseAddress.map { clinux_crc32c($0, all.count) } ?? 0
    }
  }
}
