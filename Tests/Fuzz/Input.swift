/// What the fuzzer made up, as the harnesses want it.
struct Input {
  /// All bytes.
  let bytes: [UInt8]

  init(_ data: UnsafePointer<UInt8>?, _ count: Int) {
    bytes = Array(UnsafeBufferPointer(start: data, count: count))
  }

  /// The bytes as text; what is not UTF-8 is replaced.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The parts between line feeds, as many as asked for; missing ones are empty.
  func parts(_ count: Int) -> [[UInt8]] {
    let found = bytes.split(separator: 10, maxSplits: count - 1, omittingEmptySubsequences: false)
      .map(Array.init)
    return found + [[UInt8]](repeating: [], count: count - found.count)
  }
}

/// Stops the fuzzer: what it made up breaks a law.
func require(_ holds: Bool, _ law: StaticString) {
  precondition(holds, "\(law)")
}
