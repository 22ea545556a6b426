import Glibc

/// A file beside the tests, read from its beginning.
struct VectorFile {
  private var bytes: [UInt8] = []
  private var position = 0

  /// A file of a name in `Vectors`; empty if there is none.
  init(_ name: String, beside test: String = #filePath) {
    let folder = test.split(separator: "/").dropLast().joined(separator: "/")
    guard let file = fopen("/\(folder)/Vectors/\(name)", "rb") else { return }
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&block, 1, block.count, file), count > 0 {
      bytes += block[..<count]
    }
    fclose(file)
  }

  var isAtEnd: Bool { position >= bytes.count }

  /// All of it as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func byte() -> UInt8 { UInt8(number(of: 1)) }

  mutating func float() -> Double { Double(Float(bitPattern: UInt32(number(of: 4)))) }

  mutating func double() -> Double { Double(bitPattern: number(of: 8)) }

  mutating func floats() -> SIMD3<Double> { SIMD3(float(), float(), float()) }

  private mutating func number(of width: Int) -> UInt64 {
    defer { position += width }
    return bytes[position..<min(position + width, bytes.count)].reversed()
      .reduce(0) { $0 << 8 | UInt64($1) }
  }
}
