/// The content of a block does not match its description.
struct Malformed: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// Reads the bytes of an untrusted block: every length is checked before it is used.
struct ByteReader {
  let bytes: [UInt8]
  private(set) var position = 0
  /// How many numbers may still be unpacked, since a few bytes can encode many.
  private var budget = Format.numberLimit

  init(_ bytes: [UInt8], from position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  var remaining: Int { bytes.count - position }

  mutating func byte() throws(Malformed) -> UInt8 {
    guard remaining > 0 else { throw Malformed("it ends too early") }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func bytes(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
    guard count <= remaining else { throw Malformed("it ends too early") }
    defer { position += count }
    return bytes[position..<position + count]
  }

  private mutating func number(size: Int) throws(Malformed) -> UInt64 {
    try bytes(size).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func get16() throws(Malformed) -> UInt16 { UInt16(try number(size: 2)) }

  mutating func get32() throws(Malformed) -> UInt32 { UInt32(try number(size: 4)) }

  mutating func get64() throws(Malformed) -> Int64 { Int64(bitPattern: try number(size: 8)) }

  mutating func double() throws(Malformed) -> Double { Double(bitPattern: try number(size: 8)) }

  private mutating func bits() throws(Malformed) -> UInt64 {
    var sum: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      let next = try byte()
      sum |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return sum }
    }
    throw Malformed("a number has no end")
  }

  /// A count of at most `limit`.
  mutating func count(atMost limit: Int) throws(Malformed) -> Int {
    guard let number = Int(exactly: try bits()), number <= limit else {
      throw Malformed("a count is too large")
    }
    return number
  }

  mutating func signed() throws(Malformed) -> Int64 {
    let bits = try bits()
    return Int64(bitPattern: bits >> 1 ^ (0 &- bits & 1))
  }

  mutating func counted() throws(Malformed) -> ArraySlice<UInt8> {
    try bytes(try count(atMost: remaining))
  }

  mutating func text() throws(Malformed) -> String {
    guard let text = String(validating: try counted(), as: UTF8.self) else {
      throw Malformed("a text is not UTF-8")
    }
    return text
  }

  /// Takes room for numbers to be unpacked.
  mutating func reserve(_ count: Int) throws(Malformed) {
    guard count <= budget else { throw Malformed("it has more numbers than a block may have") }
    budget -= count
  }

  /// Lets C read from here on; it answers how many bytes that took, nil if they are malformed.
  mutating func unpack(
    _ body: (UnsafePointer<UInt8>, _ length: Int) -> Int?
  ) throws(Malformed) {
    let start = position
    let taken = bytes.withUnsafeBufferPointer { all -> Int? in
      guard let base = all.baseAddress else { return nil }
      return body(base + start, all.count - start)
    }
    guard let taken, taken <= remaining else { throw Malformed("packed numbers are damaged") }
    position += taken
  }
}
