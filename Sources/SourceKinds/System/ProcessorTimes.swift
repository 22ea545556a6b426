import Gathering

/// The times of one processor, or of all together, since boot, from `/proc/stat`.
struct ProcessorTimes {
  /// The times in jiffies, as a reading keeps them between two updates.
  enum Part: Int, CaseIterable {
    case user, system, idle, ioWait, interrupt, steal
  }

  /// The times in the order of `Part`.
  let counters: [Int64]

  /// The times of a line's words after the first; nil if they are no numbers.
  ///
  /// Kernels may have fewer columns than today's; guest time is already inside the user's.
  init?(_ words: ArraySlice<UInt8>) {
    var counters = [Int64](repeating: 0, count: Part.allCases.count)
    guard Self.read(words, into: &counters) else { return nil }
    self.counters = counters
  }

  /// Puts the times of a line's words in the order of `Part`; false if they are no numbers.
  static func read(_ words: ArraySlice<UInt8>, into counters: inout [Int64]) -> Bool {
    read(words.span, from: 0, into: &counters)
  }

  /// The same with the words from a place to the end of its line.
  @_optimize(speed)
  static func read(_ text: Span<UInt8>, from place: Int, into counters: inout [Int64]) -> Bool {
    let parts = Part.allCases.count
    if counters.count != parts { counters = [Int64](repeating: 0, count: parts) }
    for index in counters.indices { counters[index] = 0 }
    var column = 0
    var index = place
    while index < text.count, text[index] != 10 {
      if text[index] <= 0x20 {
        index &+= 1
        continue
      }
      guard let number = number(in: text, from: &index) else { return false }
      if column < columns.count {
        let part = columns[column].rawValue
        let (sum, overflow) = counters[part].addingReportingOverflow(number)
        if overflow { return false }
        counters[part] = sum
      }
      column &+= 1
    }
    return column >= 4
  }

  /// The part a column belongs to: nice time is the user's, soft interrupts are interrupts.
  private static let columns: [Part] = [
    .user, .user, .system, .idle, .ioWait, .interrupt, .interrupt, .steal,
  ]

  /// The number of a word, and the place behind it; nil if it is none.
  @inline(__always)
  private static func number(in text: Span<UInt8>, from index: inout Int) -> Int64? {
    var number: Int64 = 0
    let first = index
    while index < text.count, text[index] > 0x20 {
      let digit = text[index] &- 0x30
      if digit > 9 { return nil }
      // Eighteen digits fit.
      if index &- first < 18 {
        number = number &* 10 &+ Int64(digit)
      } else {
        let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
        let (sum, carry) = tens.addingReportingOverflow(Int64(digit))
        if overflow || carry { return nil }
        number = sum
      }
      index &+= 1
    }
    return number
  }

  /// Where the line of `/proc/stat` begins that a word begins: usually where it did last.
  static func start(of label: [UInt8], in text: Span<UInt8>, from known: Int) -> Int? {
    if known == 0 || known < text.count && text[known - 1] == 10,
      stands(label, in: text, from: known)
    {
      return known
    }
    var start = 0
    while start < text.count {
      if stands(label, in: text, from: start) { return start }
      while start < text.count, text[start] != 10 { start += 1 }
      start += 1
    }
    return nil
  }

  /// The line of `/proc/stat` that begins with a word.
  static func line(_ label: [UInt8], in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let start = start(of: label, in: text.span, from: 0) else { return nil }
    return text.dropFirst(start).prefix { $0 != 10 }
  }

  /// Whether the lines of single processors in `/proc/stat` are those of a list.
  @_optimize(speed)
  static func areLines(of list: ProcessorList, in text: ArraySlice<UInt8>) -> Bool {
    text.withUnsafeBufferPointer { text in
      guard stands(Array("cpu".utf8), in: text.span, from: 0) else { return false }
      var place = behindLine(in: text, from: 0)
      for processor in list.ranges.joined() {
        guard let number = processorNumber(in: text, at: place), number == processor else {
          return false
        }
        place = behindLine(in: text, from: place)
      }
      return processorNumber(in: text, at: place) == nil
    }
  }

  /// The number behind "cpu" at a place.
  private static func processorNumber(in text: UnsafeBufferPointer<UInt8>, at place: Int) -> Int? {
    guard place + 3 < text.count, text[place] == UInt8(ascii: "c"),
      text[place + 1] == UInt8(ascii: "p"), text[place + 2] == UInt8(ascii: "u")
    else { return nil }
    var index = place + 3
    return number(in: text.span, from: &index).map(Int.init)
  }

  private static func behindLine(in text: UnsafeBufferPointer<UInt8>, from place: Int) -> Int {
    var index = place
    while index < text.count, text[index] != 10 { index &+= 1 }
    return index &+ 1
  }

  private static func stands(_ label: [UInt8], in text: Span<UInt8>, from start: Int) -> Bool {
    let behind = start + label.count
    guard behind <= text.count, behind == text.count || text[behind] <= 0x20 else { return false }
    for index in label.indices where text[start + index] != label[index] { return false }
    return true
  }

  /// The share of a part in the time between two readings' counters, or that of all but idling and
  /// waiting; why there is none otherwise.
  @_optimize(speed)
  static func share(
    of wanted: Part?, from previous: [Int64], to current: [Int64]
  ) -> Result<Double, NoShares> {
    let parts = Part.steal.rawValue + 1
    guard previous.count == parts, current.count == parts else {
      return .failure(.needsTwoReadings)
    }
    var (total, own, idle, waiting) = (0.0, 0.0, 0.0, 0.0)
    for index in 0..<parts {
      let (growth, overflow) = current[index].subtractingReportingOverflow(previous[index])
      // Time spent waiting for devices is known to go backwards now and then.
      if overflow || (growth < 0 && index != Part.ioWait.rawValue) {
        return .failure(.needsTwoReadings)
      }
      if growth <= 0 { continue }
      let spent = Double(growth)
      total += spent
      if index == wanted?.rawValue { own = spent }
      if index == Part.idle.rawValue { idle = spent }
      if index == Part.ioWait.rawValue { waiting = spent }
    }
    guard total > 0 else { return .failure(.noTimePassed) }
    if wanted != nil { return .success(own / total) }
    return .success(min(max(1 - (idle / total + waiting / total), 0), 1))
  }

  /// Why two readings give no shares.
  enum NoShares: Error {
    case needsTwoReadings, noTimePassed
  }
}
