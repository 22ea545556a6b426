/// Bytes of a block as they are put together; all numbers little endian.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func put(_ byte: UInt8) { bytes.append(byte) }

  mutating func put(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  mutating func put16(_ number: UInt16) { put(number: UInt64(number), size: 2) }

  mutating func put32(_ number: UInt32) { put(number: UInt64(number), size: 4) }

  mutating func put64(_ number: Int64) { put(number: UInt64(bitPattern: number), size: 8) }

  mutating func put(double number: Double) { put(number: number.bitPattern, size: 8) }

  private mutating func put(number: UInt64, size: Int) {
    for byte in 0..<size { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * byte))) }
  }

  /// Seven bits a byte, the lowest first.
  mutating func put(varint number: Int) { put(bits: UInt64(number)) }

  /// The same of a number that may be negative: 0, -1, 1, -2 … as 0, 1, 2, 3 …
  mutating func put(signed number: Int64) {
    put(bits: UInt64(bitPattern: number << 1) ^ UInt64(bitPattern: number >> 63))
  }

  private mutating func put(bits: UInt64) {
    var rest = bits
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// A length followed by the bytes.
  mutating func put(counted text: some Collection<UInt8>) {
    put(varint: text.count)
    put(text)
  }
}
