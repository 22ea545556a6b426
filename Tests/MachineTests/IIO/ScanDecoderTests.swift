import GatheredKitTesting
import Glibc
import Ground
import Testing

@testable import Machine

@Suite struct ScanDecoderTests {
  /// The catalogue's rule again, bit by bit: (word >> shift), cut to BITS, then sign-extended.
  private func expected(_ bytes: ArraySlice<UInt8>, _ format: ScanFormat) -> Double {
    let ordered = format.isBigEndian ? Array(bytes) : bytes.reversed()
    var bits: [Bool] = ordered.flatMap { byte in (0..<8).map { byte & (0x80 >> $0) != 0 } }
    bits.removeLast(format.shift)
    bits = Array(bits.suffix(format.bits))
    let isNegative = format.isSigned && bits.count == format.bits && bits[0]
    // Two's complement: a negative number is minus what the other bits leave to be said, minus 1.
    let magnitude = bits.reduce(UInt64(0)) { $0 << 1 | (($1 != isNegative) ? 1 : 0) }
    return isNegative ? -Double(magnitude + 1) : Double(magnitude)
  }

  @Test(arguments: [8, 16, 24, 32, 48, 64])
  func `every format is decoded as the rule says`(storage: Int) throws {
    var dice = SeededGenerator(seed: 1)
    var wrong: [String] = []
    for isBig in [false, true] {
      for isSigned in [false, true] {
        for bits in 1...storage {
          for shift in Set([0, 1, (storage - bits) / 2, storage - bits, storage - 1]) {
            for repeats in [1, 3] {
              let format = try ScanFormat(
                isBigEndian: isBig, isSigned: isSigned, bits: bits, storage: storage,
                shift: shift, repeats: repeats)
              if !agrees(format, &dice) { wrong.append("\(format)") }
            }
          }
        }
      }
    }
    #expect(wrong == [])
  }

  /// Whether junk in front, the axes and a stamp come out of random records right.
  private func agrees(_ format: ScanFormat, _ dice: inout SeededGenerator) -> Bool {
    guard let pad = try? ScanFormat("le:u8/8>>0".utf8), let stamp = ScanFormat.stamp else {
      return false
    }
    let layout = ScanLayout(
      [ScanElement(name: "junk", index: 0, format: pad)]
        + ["x", "y", "z"].enumerated().map {
          ScanElement(name: $1, index: $0 + 1, format: format)
        } + [ScanElement(name: "timestamp", index: 9, format: stamp)])
    let count = 5
    let bytes = (0..<count * layout.recordSize).map { _ in UInt8.random(in: 0...255, using: &dice) }
    let numbers = 3 * format.repeats
    let identity = (0..<numbers * numbers).map { $0 % (numbers + 1) == 0 ? 1.0 : 0 }
    let group = ScanGroup(
      channels: ["x", "y", "z"], matrix: identity, offset: [Double](repeating: 0, count: numbers))
    guard let decoder = try? ScanDecoder([group], from: layout, at: "") else { return false }
    let wanted = (0..<count).flatMap { row in
      (1...3).flatMap { element in
        (0..<format.repeats).map { word in
          let start = row * layout.recordSize + layout.offsets[element] + word * format.wordSize
          return expected(bytes[start..<start + format.wordSize], format)
        }
      }
    }
    let stamps = (0..<count).map { row in
      let start = row * layout.recordSize + layout.offsets[4]
      return bytes[start..<start + 8].reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }
    return bytes.withUnsafeBytes { records in
      decoder.columns(of: records) == [wanted] && decoder.stamps(of: records) == stamps
    }
  }

  @Test(arguments: ["le:s16/16>>0", "le:s12/16>>4", "le:s32/32>>0", "le:s24/32>>8", "be:s16/16>>0"])
  func `a matrix and an offset make rows of a column`(type: String) throws {
    let format = try ScanFormat(type.utf8)
    let layout = ScanLayout(
      ["x", "y", "z"].enumerated().map { ScanElement(name: $1, index: $0, format: format) })
    var dice = SeededGenerator(seed: 1)
    let bytes = (0..<7 * layout.recordSize).map { _ in UInt8.random(in: 0...255, using: &dice) }
    let matrix = [0.5, -2, 3, 4, 0.25, 6, -7, 8, 9.5]
    let offset = [1.0, -20, 300]
    let groups = [
      ScanGroup(channels: ["x", "y", "z"], matrix: matrix, offset: offset),
      ScanGroup(channels: ["z"], matrix: [2, 3], offset: [0, 1]),
    ]
    let decoder = try ScanDecoder(groups, from: layout, at: "")
    let columns = bytes.withUnsafeBytes { decoder.columns(of: $0) }
    for row in 0..<7 {
      let raw = (0..<3).map { axis in
        let start = row * layout.recordSize + axis * format.wordSize
        return expected(bytes[start..<start + format.wordSize], format)
      }
      let mapped = (0..<3).map { line in
        (0..<3).reduce(0) { $0 + matrix[line * 3 + $1] * raw[$1] } + offset[line]
      }
      #expect(Array(columns[0][row * 3..<row * 3 + 3]) == mapped)
      #expect(Array(columns[1][row * 2..<row * 2 + 2]) == [2 * raw[2], 3 * raw[2] + 1])
    }
  }

  @Test func `a channel the records lack and a matrix that does not fit are refused`() throws {
    let format = try ScanFormat("le:s16/16>>0".utf8)
    let layout = ScanLayout([ScanElement(name: "x", index: 0, format: format)])
    let absent = ScanGroup(channels: ["y"], matrix: [1], offset: [0])
    #expect(throws: SystemError(EOPNOTSUPP, at: "d/scan_elements/in_y_en")) {
      _ = try ScanDecoder([absent], from: layout, at: "d")
    }
    let narrow = ScanGroup(channels: ["x"], matrix: [1, 2], offset: [0])
    #expect(throws: SystemError(EINVAL, at: "d")) {
      _ = try ScanDecoder([narrow], from: layout, at: "d")
    }
  }

  @Test func `a record cut short is no record`() throws {
    let format = try ScanFormat("le:u16/16>>0".utf8)
    let layout = ScanLayout([ScanElement(name: "x", index: 0, format: format)])
    let group = ScanGroup(channels: ["x"], matrix: [1], offset: [0])
    let decoder = try ScanDecoder([group], from: layout, at: "")
    #expect(([1, 0, 2] as [UInt8]).withUnsafeBytes { decoder.columns(of: $0) } == [[1]])
    #expect([UInt8]().withUnsafeBytes { decoder.columns(of: $0) } == [[]])
  }
}
