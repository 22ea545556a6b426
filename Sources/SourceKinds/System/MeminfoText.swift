import Gathering
import Machine
import Values

/// The text of `/proc/meminfo`, of which some lines are wanted.
///
/// The kernel pads its numbers, so lines rarely move: each is looked for where it stood before,
/// and the text is searched only when one is not there.
struct MeminfoText {
  private let labels: [[UInt8]]
  private var lines: [Int?]
  /// Where the number of each line begins, by the text last searched.
  private var numbers: [Int]
  /// The bytes of each line; -1 where the number is not in the usual form.
  private var sizes: [Int64]
  private var absences: [KeptOutcome] = []
  private var standing = StandingText()

  /// Looks for lines with these labels, by their position.
  init(labels: [String]) {
    self.labels = labels.map { Array("\($0):".utf8) }
    lines = [Int?](repeating: nil, count: labels.count)
    numbers = [Int](repeating: -1, count: labels.count)
    sizes = [Int64](repeating: -1, count: labels.count)
  }

  /// Gives every label's property its outcome: bytes, as the kernel's kB are 1024.
  @_optimize(speed)
  mutating func parse(
    _ text: ArraySlice<UInt8>, from path: @autoclosure () -> String, into reading: inout Reading,
    at properties: [Int]
  ) {
    if !standing.stands(in: text) { search(text, path()) }
    var areUsual = true
    let numbers = numbers
    sizes.withUnsafeMutableBufferPointer { sizes in
      text.withUnsafeBytes { raw in
        for index in sizes.indices {
          let kilobytes = Self.shortNumber(raw, from: numbers[index])
          areUsual = areUsual && kilobytes >= 0
          sizes[index] = kilobytes < 0 ? -1 : kilobytes &* 1024
        }
      }
    }
    reading.set(properties, toSizes: sizes)
    if areUsual { return }
    for index in properties.indices where sizes[index] < 0 {
      set(properties[index], of: index, in: text, &reading)
    }
  }

  /// The same for one label whose number is not in the usual form.
  @inline(never)
  private func set(
    _ property: Int, of index: Int, in text: ArraySlice<UInt8>, _ reading: inout Reading
  ) {
    let start = numbers[index]
    if start < 0 { return reading.set(property, to: absences[index]) }
    let kilobytes = Self.kilobytes(text.span, from: start)
    if kilobytes >= 0 {
      reading.set(property, to: kilobytes * 1024)
    } else {
      reading[property] = Self.failure(text.dropFirst(start))
    }
  }

  /// The whole line of a label in the text last parsed.
  func line(of index: Int, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let start = lines[index], start < text.count else { return nil }
    return text.dropFirst(start).prefix { $0 != 10 }
  }

  private func missing(_ index: Int, isEmpty: Bool, _ path: String) -> Outcome {
    if isEmpty { return .noData("empty text") }
    let label = labels[index].dropLast().lenientText
    return .unsupported("\(path) has no line \(label)")
  }

  private mutating func search(_ text: ArraySlice<UInt8>, _ path: String) {
    for index in lines.indices { (lines[index], numbers[index]) = (nil, -1) }
    standing.begin(text)
    for line in Lines(of: text) {
      let found = labels.indices.first { lines[$0] == nil && line.starts(with: labels[$0]) }
      guard let index = found else { continue }
      let start = line.startIndex - text.startIndex
      let padding = line.dropFirst(labels[index].count).prefix { $0 == 0x20 || $0 == 9 }
      lines[index] = start
      numbers[index] = padding.endIndex - text.startIndex
      standing.add(start..<numbers[index], of: text)
    }
    let isEmpty = text.allSatisfy { $0 <= 0x20 }
    absences = labels.indices.map { index in
      KeptOutcome(lines[index] == nil ? missing(index, isEmpty: isEmpty, path) : .notRead)
    }
  }

  /// A number of one to eight digits with " kB" and a line feed behind it, which eight bytes at a
  /// time tell; -1 for anything else, and for a place below zero.
  @inline(__always)
  private static func shortNumber(_ text: UnsafeRawBufferPointer, from place: Int) -> Int64 {
    guard place >= 0, let first = text.baseAddress else { return -1 }
    var start = place
    while start &+ 12 <= text.count, first.load(fromByteOffset: start, as: UInt8.self) == 0x20 {
      start &+= 1
    }
    guard start &+ 12 <= text.count else { return -1 }
    let word = first.loadUnaligned(fromByteOffset: start, as: UInt64.self)
    let digits = UInt64(littleEndian: word) ^ 0x3030_3030_3030_3030
    // Set in the first byte that is no digit, and perhaps in some behind it.
    let others = (digits &+ 0x7676_7676_7676_7676 | digits) & 0x8080_8080_8080_8080
    let bits = others.trailingZeroBitCount & ~7
    guard bits > 0 else { return -1 }
    let end = first.loadUnaligned(fromByteOffset: start &+ bits / 8, as: UInt32.self)
    guard UInt32(littleEndian: end) == 0x0A42_6B20 else { return -1 }
    // Tens with ones, hundreds with those, and so on: three steps for eight digits.
    var value = digits &<< UInt64(64 &- bits)
    value = value &* 10 &+ value &>> 8
    let low = (value & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let high = (value &>> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    return Int64((low &+ high) &>> 32)
  }

  /// A number and "kB", to the end of the line; -1 for anything else.
  private static func kilobytes(_ bytes: Span<UInt8>, from start: Int) -> Int64 {
    var index = start
    while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 9 { index &+= 1 }
    let digits = index
    var number: Int64 = 0
    // Eighteen digits are more than any size in kB; longer ones are none.
    while index < bytes.count, index &- digits < 18 {
      let digit = bytes[index] &- 0x30
      if digit > 9 { break }
      number = number &* 10 &+ Int64(digit)
      index &+= 1
    }
    guard index > digits, number <= Int64.max / 1024, index &+ 2 < bytes.count,
      bytes[index] == 0x20, bytes[index &+ 1] == 0x6B, bytes[index &+ 2] == 0x42
    else { return -1 }
    index &+= 3
    while index < bytes.count, bytes[index] != 10 {
      if bytes[index] > 0x20 { return -1 }
      index &+= 1
    }
    return number
  }

  private static func failure(_ rest: ArraySlice<UInt8>) -> Outcome {
    let text = NumberText.trimmed(rest.prefix { $0 != 10 })
    return text.isEmpty ? .noData("empty text") : .unparsable(text)
  }
}
