import GatheredKitTesting
import Testing

@testable import Recording

/// Every encoding of numbers, against a decoder that shares nothing with the encoder.
struct ColumnTests {
  /// Columns of many shapes: noise of every width, even steps, slow changes, extremes.
  static func integers(seed: UInt64) -> [Int64] {
    var generator = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...300, using: &generator)
    let shift = Int64.random(in: 0...64, using: &generator)
    let stride = Int64.random(in: -5...5, using: &generator) &* (1 << (seed % 40))
    var number = Int64.random(in: .min ... .max, using: &generator)
    return (0..<count).map { index in
      let noise = Int64.random(in: .min ... .max, using: &generator) >> shift
      switch seed % 5 {
      case 0: return noise
      case 1: number &+= stride
      case 2: number &+= stride &+ (noise >> 32)
      case 3: number = index % 40 == 0 ? noise : number
      default: return [.min, .max, 0, -1, 1, noise][Int(seed) % 3 + index % 4]
      }
      return number
    }
  }

  @Test func `whole numbers come back from any column`() throws {
    for seed in UInt64(0)..<2000 {
      let numbers = Self.integers(seed: seed)
      var column = Integers()
      for number in numbers { column.append(number) }
      #expect(column.all == numbers)
      var out = ByteWriter()
      column.write(to: &out)
      var plain = PlainDecoder(out.bytes)
      #expect(plain.integers(numbers.count) == numbers)
      #expect(plain.position == out.bytes.count)
      var reader = ByteReader(out.bytes)
      #expect(try Integers(&reader, count: numbers.count).all == numbers)
      #expect(reader.remaining == 0)
    }
  }

  @Test func `even steps take no room, however they are appended`() {
    var column = Integers()
    column.append(from: 5, stride: 3, count: 1000)
    column.append(3005)
    column.append(from: 3008, stride: 3, count: 100_000)
    #expect(column.isEven && column.count == 101_001)
    #expect(column[101_000] == 5 + 3 * 101_000)
    column.append(from: 0, stride: 1, count: 2)
    #expect(!column.isEven && column[101_001] == 0 && column[101_002] == 1)
  }

  static func doubles(seed: UInt64) -> [Double] {
    var generator = SeededGenerator(seed: seed)
    let odd: [Double] = [
      .nan, -.nan, .infinity, -.infinity, -0.0, 0, .leastNonzeroMagnitude,
      .greatestFiniteMagnitude, Double(bitPattern: 0x7FF0_0000_0000_0001), 1e300, 1.0 / 3,
    ]
    let step = [0.01, 0.000_598, 1 / 3.0, 9.80665 / 2048][Int(seed) % 4]
    return (0..<Int.random(in: 0...300, using: &generator)).map { index in
      let whole = Double(Int.random(in: -4000...4000, using: &generator))
      switch seed % 7 {
      case 0: return whole * step
      case 1: return whole / 100
      case 2: return whole
      case 3: return Double.random(in: -1...1, using: &generator)
      case 4: return Double(index / 20) * 0.1
      case 5: return odd[Int.random(in: 0..<odd.count, using: &generator)]
      default: return index % 90 == 50 ? odd[index / 90] : whole * step
      }
    }
  }

  @Test(arguments: 1...4) func `doubles come back to the bit`(width: Int) throws {
    for seed in UInt64(0)..<700 {
      let all = Self.doubles(seed: seed)
      let rows = all.count / width
      let numbers = Array(all[..<(rows * width)])
      var scale: Numbers.Scale? =
        seed % 2 == 0 ? Numbers.Scale(step: 9.80665 / 2048, divides: false) : nil
      var out = ByteWriter()
      Numbers.write(numbers, width: width, scale: &scale, to: &out)
      var plain = PlainDecoder(out.bytes)
      let bits = numbers.map(\.bitPattern)
      #expect(plain.numbers(rows, width: width).map(\.bitPattern) == bits)
      #expect(plain.position == out.bytes.count)
      var reader = ByteReader(out.bytes)
      let read = try Numbers.read(&reader, rows: rows, width: width)
      #expect(read.map(\.bitPattern) == bits)
      #expect(reader.remaining == 0)
    }
  }

  @Test func `multiples of the hardware's step take the bits of their range`() {
    var generator = SeededGenerator(seed: 1)
    let step = 0.000_598
    let numbers = (0..<4096).map { _ in
      Double(Int.random(in: -32...31, using: &generator)) * step
    }
    var scale: Numbers.Scale? = Numbers.Scale(step: step, divides: false)
    var out = ByteWriter()
    Numbers.write(numbers, width: 1, scale: &scale, to: &out)
    #expect(out.bytes.count < 4096 * 6 / 8 + 120)
  }

  @Test func `the check sum is the Castagnoli polynomial's`() {
    // The check value of CRC-32C, and the vector of 32 zeros in RFC 3720.
    #expect(BlockHeader.check(of: Array("123456789".utf8)) == 0xE306_9283)
    #expect(BlockHeader.check(of: [UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
    var bitwise: UInt32 = ~0
    let bytes = (0..<1001).map { UInt8(truncatingIfNeeded: $0 * 7) }
    for byte in bytes {
      bitwise ^= UInt32(byte)
      for _ in 0..<8 { bitwise = bitwise >> 1 ^ (bitwise & 1 == 1 ? 0x82F6_3B78 : 0) }
    }
    #expect(BlockHeader.check(of: bytes) == ~bitwise)
  }

  @Test func `packed numbers that were cut or changed are refused or other numbers`() {
    for seed in UInt64(0)..<200 {
      var out = ByteWriter()
      var column = Integers()
      for number in Self.integers(seed: seed) { column.append(number) }
      column.write(to: &out)
      var generator = SeededGenerator(seed: seed)
      var bytes = out.bytes
      bytes.removeLast(Int.random(in: 0...min(3, bytes.count), using: &generator))
      if let place = bytes.indices.randomElement(using: &generator) {
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      }
      var reader = ByteReader(bytes)
      if let read = try? Integers(&reader, count: column.count) {
        #expect(read.count == column.count && reader.position <= bytes.count)
      }
    }
  }
}
