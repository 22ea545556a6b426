import Glibc

/// What stands where in a table of the kernel, which pads its numbers and so rarely moves a line:
/// to be found in the next text at the same places.
public struct StandingText: Sendable {
  private var bytes: [UInt8] = []
  private var places: [(start: Int, count: Int)] = []
  private var length = -1

  /// Nothing is known to stand anywhere.
  public init() {}

  /// Forgets all places, for a text of another length.
  public mutating func begin(_ text: ArraySlice<UInt8>) {
    bytes.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    length = text.count
  }

  /// Adds a part of the text, by its place behind the start of it.
  public mutating func add(_ part: Range<Int>, of text: ArraySlice<UInt8>) {
    bytes.append(contentsOf: text[(text.startIndex + part.lowerBound)...].prefix(part.count))
    places.append((part.lowerBound, part.count))
  }

  /// Whether a text is as long, and has all parts where they stood.
  public func stands(in text: ArraySlice<UInt8>) -> Bool {
    guard text.count == length, !places.isEmpty else { return false }
    return text.withUnsafeBytes { text in
      bytes.withUnsafeBytes { bytes in
        guard let text = text.baseAddress, var part = bytes.baseAddress else { return false }
        // In range: a text of this length had all parts.
        for (start, count) in places {
          if memcmp(text + start, part, count) != 0 { return false }
          part += count
        }
        return true
      }
    }
  }
}
