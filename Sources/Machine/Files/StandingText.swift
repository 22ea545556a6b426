/// What stands where in a table of the kernel, which pads its numbers and so rarely moves a line:
/// to be found in the next text at the same places.
public struct StandingText: Sendable {
  /// Sixteen bytes of the text, some of which stand there.
  private struct Piece {
    let place: Int
    let bytes: SIMD2<UInt64>
    /// Ones where a byte counts.
    let counting: SIMD2<UInt64>
  }

  private static let width = MemoryLayout<SIMD2<UInt64>>.size

  private var pieces: [Piece] = []
  private var length = -1

  /// Nothing is known to stand anywhere.
  public init() {}

  /// Forgets all places, for a text of another length.
  public mutating func begin(_ text: ArraySlice<UInt8>) {
    pieces.removeAll(keepingCapacity: true)
    length = text.count
  }

  /// Adds a part of the text, by its place behind the start of it.
  public mutating func add(_ part: Range<Int>, of text: ArraySlice<UInt8>) {
    // So short a text is looked through each time.
    guard length >= Self.width else { return length = -1 }
    text.withUnsafeBytes { text in
      for start in stride(from: part.lowerBound, to: part.upperBound, by: Self.width) {
        let place = min(start, length - Self.width)
        var counting = SIMD2<UInt64>.zero
        for index in start - place..<min(start + Self.width, part.upperBound) - place {
          counting[index / 8] |= UInt64(littleEndian: 0xFF << UInt64(index % 8 * 8))
        }
        let bytes = text.loadUnaligned(fromByteOffset: place, as: SIMD2<UInt64>.self) & counting
        pieces.append(Piece(place: place, bytes: bytes, counting: counting))
      }
    }
  }

  /// Whether a text is as long, and has all parts where they stood.
  @_optimize(speed)
  public func stands(in text: ArraySlice<UInt8>) -> Bool {
    guard text.count == length, !pieces.isEmpty else { return false }
    return text.withUnsafeBytes { text in
      guard let text = text.baseAddress else { return false }
      var differing = SIMD2<UInt64>.zero
      for piece in pieces {
        // In range: a text of this length has sixteen bytes there.
        let found = text.loadUnaligned(fromByteOffset: piece.place, as: SIMD2<UInt64>.self)
        differing |= found & piece.counting ^ piece.bytes
      }
      return differing.x | differing.y == 0
    }
  }
}
