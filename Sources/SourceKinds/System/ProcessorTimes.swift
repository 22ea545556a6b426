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
    let parts = Part.allCases.count
    if counters.count != parts { counters = [Int64](repeating: 0, count: parts) }
    for index in counters.indices { counters[index] = 0 }
    return words.withUnsafeBufferPointer { bytes in
      var position = 0
      var start = 0
      while let number = nextNumber(in: bytes, from: &start) {
        guard add(number, ofColumn: position, to: &counters) else { return false }
        position += 1
      }
      return start == bytes.count && position >= 4
    }
  }

  /// The part a column belongs to: nice time is the user's, soft interrupts are interrupts.
  private static func add(_ number: Int64, ofColumn column: Int, to counters: inout [Int64]) -> Bool
  {
    let part: Part
    switch column {
    case 0, 1: part = .user
    case 2: part = .system
    case 3: part = .idle
    case 4: part = .ioWait
    case 5, 6: part = .interrupt
    case 7: part = .steal
    default: return true
    }
    let (sum, overflow) = counters[part.rawValue].addingReportingOverflow(number)
    counters[part.rawValue] = sum
    return !overflow
  }

  /// The next number of a line; nil at its end, which alone leaves `start` there.
  private static func nextNumber(
    in bytes: UnsafeBufferPointer<UInt8>, from start: inout Int
  ) -> Int64? {
    while start < bytes.count, bytes[start] <= 0x20 { start += 1 }
    let first = start
    var number: Int64 = 0
    var end = start
    while end < bytes.count, bytes[end] > 0x20 {
      let digit = bytes[end] &- 0x30
      let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int64(digit))
      if digit > 9 || overflow || carry { return nil }
      number = sum
      end += 1
    }
    start = end
    return end > first ? number : nil
  }

  /// The line of `/proc/stat` that begins with a word.
  static func line(_ label: [UInt8], in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let place = text.withUnsafeBufferPointer { bytes -> Range<Int>? in
      var start = 0
      while start < bytes.count {
        var end = start
        while end < bytes.count, bytes[end] != 10 { end += 1 }
        if stands(label, in: bytes, from: start, to: end) { return start..<end }
        start = end + 1
      }
      return nil
    }
    return place.map { text[text.startIndex + $0.lowerBound..<text.startIndex + $0.upperBound] }
  }

  private static func stands(
    _ label: [UInt8], in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
  ) -> Bool {
    let behind = start + label.count
    guard behind <= end, behind == end || bytes[behind] <= 0x20 else { return false }
    for index in label.indices where bytes[start + index] != label[index] { return false }
    return true
  }

  /// The share of a part in the time between two readings' counters, or that of all but idling and
  /// waiting; why there is none otherwise.
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
      let spent = Double(max(growth, 0))
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
