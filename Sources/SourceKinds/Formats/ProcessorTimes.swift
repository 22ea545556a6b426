import Gathering

/// What one processor, or all together, spent its time on since boot, as `/proc/stat` counts it.
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
    var columns = [Int64](repeating: 0, count: 8)
    var count = 0
    for word in words.split(whereSeparator: { $0 == 0x20 || $0 == 9 || $0 == 13 }) {
      guard let number = NumberText.integer(word), number >= 0 else { return nil }
      if count < columns.count { columns[count] = number }
      count += 1
    }
    let (user, userOverflow) = columns[0].addingReportingOverflow(columns[1])
    let (interrupt, interruptOverflow) = columns[5].addingReportingOverflow(columns[6])
    guard count >= 4, !userOverflow, !interruptOverflow else { return nil }
    counters = [user, columns[2], columns[3], columns[4], interrupt, columns[7]]
  }

  /// The line of `/proc/stat` that begins with a word.
  static func line(_ label: [UInt8], in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var rest = text
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 10 }
      if line.starts(with: label), line.dropFirst(label.count).first.map({ $0 <= 0x20 }) ?? true {
        return line
      }
      rest = rest.dropFirst(line.count + 1)
    }
    return nil
  }

  /// The shares of the time between two readings' counters; why there are none otherwise.
  static func shares(
    from previous: [Int64], to current: [Int64]
  ) -> Result<[Double], NoShares> {
    guard previous.count == Part.allCases.count, current.count == previous.count else {
      return .failure(.needsTwoReadings)
    }
    var spent: [Double] = []
    for part in Part.allCases {
      let (growth, overflow) = current[part.rawValue]
        .subtractingReportingOverflow(previous[part.rawValue])
      // Time spent waiting for devices is known to go backwards now and then.
      if overflow || (growth < 0 && part != .ioWait) { return .failure(.needsTwoReadings) }
      spent.append(Double(max(growth, 0)))
    }
    let total = spent.reduce(0, +)
    return total > 0 ? .success(spent.map { $0 / total }) : .failure(.noTimePassed)
  }

  /// Why two readings give no shares.
  enum NoShares: Error {
    case needsTwoReadings, noTimePassed
  }
}
