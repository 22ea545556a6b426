import Gathering
import Values

/// The text of `/proc/meminfo`, of which some lines are wanted.
///
/// The kernel pads its numbers, so lines rarely move: each is looked for where it stood before,
/// and the text is searched only when one is not there.
struct MeminfoText {
  private let labels: [[UInt8]]
  private var starts: [Int?]
  private var absences: [Outcome] = []
  private var length = -1

  /// Looks for lines with these labels, by their position.
  init(labels: [String]) {
    self.labels = labels.map { Array("\($0):".utf8) }
    starts = [Int?](repeating: nil, count: labels.count)
  }

  /// Gives every label's property its outcome: bytes, as the kernel's kB are 1024.
  mutating func parse(
    _ text: ArraySlice<UInt8>, from path: String, into reading: inout Reading, at properties: [Int]
  ) {
    text.withUnsafeBufferPointer { bytes in
      if !isAsBefore(bytes) { search(bytes, path) }
      for index in labels.indices {
        guard let start = starts[index] else {
          reading.set(properties[index], to: absences[index])
          continue
        }
        let begin = start + labels[index].count
        let kilobytes = Self.kilobytes(bytes, from: begin)
        if kilobytes >= 0 {
          reading.set(properties[index], to: kilobytes * 1024)
        } else {
          reading[properties[index]] = Self.failure(bytes, from: begin)
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
    guard bytes.count == length, starts.contains(where: { $0 != nil }) else { return false }
    for index in labels.indices {
      if let start = starts[index], !stands(labels[index], in: bytes, at: start) { return false }
    }
    return true
  }

  private mutating func search(_ bytes: UnsafeBufferPointer<UInt8>, _ path: String) {
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
    let isEmpty = bytes.allSatisfy { $0 <= 0x20 }
    absences = labels.indices.map { index in
      starts[index] == nil ? missing(index, isEmpty: isEmpty, path) : .notRead
    }
  }

  private func stands(
    _ label: [UInt8], in bytes: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> Bool {
    let count = label.count
    guard start + count <= bytes.count, start == 0 || bytes[start - 1] == 10 else { return false }
    var index = 0
    while index < count {
      if bytes[start &+ index] != label[index] { return false }
      index &+= 1
    }
    return true
  }

  /// A number and "kB", to the end of the line; -1 for anything else.
  private static func kilobytes(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int64 {
    var index = start
    while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 9 { index += 1 }
    let digits = index
    var number: Int64 = 0
    // Eighteen digits are more than any size in kB; longer ones are none.
    while index < bytes.count, index &- digits < 18 {
      let digit = bytes[index] &- 0x30
      if digit > 9 { break }
      number = number &* 10 &+ Int64(digit)
      index &+= 1
    }
    guard index > digits, number <= Int64.max / 1024, index + 2 < bytes.count,
      bytes[index] == 0x20, bytes[index + 1] == 0x6B, bytes[index + 2] == 0x42
    else { return -1 }
    index += 3
    while index < bytes.count, bytes[index] != 10 {
      if bytes[index] > 0x20 { return -1 }
      index += 1
    }
    return number
  }

  private static func failure(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Outcome {
    var end = start
    while end < bytes.count, bytes[end] != 10 { end += 1 }
    let text = NumberText.trimmed(ArraySlice(bytes[start..<end]))
    return text.isEmpty ? .noData("empty text") : .unparsable(text)
  }
}
