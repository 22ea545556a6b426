/// Splits received bytes into lines, none longer than a limit.
public struct LineSplitter: Sendable {
  private let limit: Int
  private var rest: [UInt8] = []
  /// Whether the line under way is too long, and so left out up to its end.
  private var isOverlong = false

  /// Makes a splitter for lines of at most `limit` bytes.
  public init(limit: Int = 16_384) { self.limit = limit }

  /// Takes bytes and gives the lines they end, without line feeds, carriage returns and empty
  /// lines. One that is too long is left out.
  public mutating func lines(in bytes: some Sequence<UInt8>) -> [[UInt8]] {
    var found: [[UInt8]] = []
    for byte in bytes {
      if byte == 0x0A || byte == 0x0D {
        if !rest.isEmpty && !isOverlong { found.append(rest) }
        rest.removeAll(keepingCapacity: true)
        isOverlong = false
      } else if rest.count < limit {
        rest.append(byte)
      } else {
        isOverlong = true
      }
    }
    return found
  }
}
