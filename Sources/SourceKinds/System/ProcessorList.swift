import Gathering
import Values

/// A list of processors as the kernel writes it: `0-3,8`.
struct ProcessorList: Equatable {
  /// The ranges as written.
  let ranges: [ClosedRange<Int>]

  /// How many processors it names.
  var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Parses trimmed text; nil if it is not such a list.
  init?(_ text: ArraySlice<UInt8>) {
    var found: [ClosedRange<Int>] = []
    for part in text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let ends = part.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      let numbers = ends.compactMap(Self.number)
      guard let first = numbers.first, let last = numbers.last, numbers.count == ends.count,
        ends.count <= 2, first <= last, first > (found.last?.upperBound ?? -1)
      else { return nil }
      found.append(first...last)
    }
    ranges = found
  }

  /// Whether a processor is in the list.
  func contains(_ processor: Int) -> Bool { ranges.contains { $0.contains(processor) } }

  /// More processors than any kernel can have are no number of one.
  private static func number(_ text: ArraySlice<UInt8>) -> Int? {
    guard text.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = NumberText.integer(text), number < 1 << 20
    else { return nil }
    return Int(number)
  }
}
