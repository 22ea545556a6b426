import Gathering
import Values

/// The text of `/proc/meminfo`, of which some lines are wanted.
///
/// The kernel pads its numbers, so lines rarely move: each is looked for where it stood before,
/// and the text is searched only when one is not there.
struct MeminfoText {
  private let labels: [[UInt8]]
  private var starts: [Int?]
  private var length = -1

  /// Looks for lines with these labels, by their position.
  init(labels: [String]) {
    self.labels = labels.map { Array("\($0):".utf8) }
    starts = [Int?](repeating: nil, count: labels.count)
  }

  /// Gives the outcome of every label: bytes, as the kernel's kB are 1024.
  mutating func parse(
    _ text: ArraySlice<UInt8>, from path: String, _ give: (Int, Outcome) -> Void
  ) {
    text.withUnsafeBufferPointer { bytes in
      if !isAsBefore(bytes) { search(bytes) }
      for index in labels.indices {
        if let start = starts[index] {
          give(index, Self.size(bytes, from: start + labels[index].count))
        } else {
          give(index, missing(index, isEmpty: bytes.allSatisfy { $0 <= 0x20 }, path))
        }
      }
    }
  }

  /// The whole line of a label in the text last parsed.
  func line(of index: Int, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let start = starts[index], start < text.count else { return nil }
    return text.dropFirst(start).prefix { $0 != 10 }
  }

  private func missing(_ index: Int, isEmpty: Bool, _ path: String) -> Outcome {
    if isEmpty { return .noData("empty text") }
    let label = labels[index].dropLast().lenientText
    return .unsupported("\(path) has no line \(label)")
  }

  private func isAsBefore(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == length else { return false }
    for index in labels.indices {
      if let start = starts[index], !stands(labels[index], in: bytes, at: start) { return false }
    }
    return true
  }

  private mutating func search(_ bytes: UnsafeBufferPointer<UInt8>) {
    for index in starts.indices { starts[index] = nil }
    length = bytes.count
    var start = 0
    while start < bytes.count {
      for index in labels.indices
      where starts[index] == nil && stands(labels[index], in: bytes, at: start) {
        starts[index] = start
      }
      while start < bytes.count, bytes[start] != 10 { start += 1 }
      start += 1
    }
  }

  private func stands(
    _ label: [UInt8], in bytes: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> Bool {
    guard start + label.count <= bytes.count, start == 0 || bytes[start - 1] == 10 else {
      return false
    }
    for index in label.indices where bytes[start + index] != label[index] { return false }
    return true
  }

  /// A number and "kB", to the end of the line.
  private static func size(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Outcome {
    var index = start
    while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 9 { index += 1 }
    let digits = index
    var number: Int64 = 0
    // Eighteen digits are more than any size in kB; longer ones take the slow way.
    while index < bytes.count, index - digits < 18, bytes[index] &- 0x30 < 10 {
      number = number * 10 + Int64(bytes[index] &- 0x30)
      index += 1
    }
    let isNumber = index > digits && number <= Int64.max / 1024
    var end = start
    if isNumber, index + 2 < bytes.count, bytes[index] == 0x20, bytes[index + 1] == 0x6B,
      bytes[index + 2] == 0x42
    {
      end = index + 3
      while end < bytes.count, bytes[end] != 10, bytes[end] <= 0x20 { end += 1 }
      if end == bytes.count || bytes[end] == 10 { return .ok(.int(number * 1024)) }
    }
    while end < bytes.count, bytes[end] != 10 { end += 1 }
    let text = NumberText.trimmed(ArraySlice(bytes[start..<end]))
    return text.isEmpty ? .noData("empty text") : .unparsable(text)
  }
}
