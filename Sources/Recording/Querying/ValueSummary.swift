import Gathering
import Values

/// A summary of the values of one property in one interval, each value counted once per row.
struct ValueSummary: Sendable {
  /// The number of components: 1, or those of a vector; 0 before the first value.
  private(set) var width = 0
  private var counts = SIMD4<Int>.zero
  private var sums = SIMD4<Double>.zero
  private var least = SIMD4<Double>(repeating: .infinity)
  private var most = SIMD4<Double>(repeating: -.infinity)
  /// The last value that is not numeric.
  private(set) var last = Value.none
  /// The status of the last row.
  private(set) var status = ValueStatus.noData

  /// Adds some rows of a column, given the number of rows of its block.
  mutating func add(_ column: PropertyColumn, rows: Range<Int>, of rowCount: Int) {
    guard let first = rows.first else { return }
    var row = first
    var entry = column.rows.lastIndex(notAbove: Int64(row))
    var run = column.runs.lastIndex(notAbove: entry)
    while row < rows.upperBound {
      let manner = column.runs[run].manner
      let isLastRun = run + 1 == column.runs.count
      let endOfRun = isLastRun ? column.count : column.runs[run + 1].start
      status = manner.status
      if column.count == rowCount, case .numbers(let numbers, let width) = column.payloads,
        manner.hasPayload
      {
        // Each row has an entry, so that contiguous rows are one piece.
        let end = min(endOfRun, rows.upperBound)
        let start = column.runs[run].payloadStart + row - column.runs[run].start
        if manner.status == .ok { add(numbers, width, from: start, count: end - row) }
        (row, entry) = (end, end)
      } else {
        let isLast = entry + 1 == column.count
        let end = isLast ? rows.upperBound : min(Int(column.rows[entry + 1]), rows.upperBound)
        if manner.hasPayload, manner.status == .ok {
          let place = column.runs[run].payloadStart + entry - column.runs[run].start
          add(column.payloads[place], count: end - row)
        }
        row = end
        entry += 1
      }
      if entry >= endOfRun { run += 1 }
    }
  }

  private mutating func add(_ value: Value, count: Int) {
    let components = value.vector?.components ?? value.number.map { [$0] } ?? []
    guard !components.isEmpty, width == 0 || width == components.count else {
      last = value
      return
    }
    width = components.count
    for (place, number) in components.enumerated() where !number.isNaN {
      counts[place] += count
      sums[place] += number * Double(count)
      least[place] = min(least[place], number)
      most[place] = max(most[place], number)
    }
  }

  /// Adds numbers that lie together: the part that a long recording is read for.
  private mutating func add(_ numbers: [Double], _ more: Int, from start: Int, count: Int) {
    guard width == 0 || width == more else {
      last = PayloadColumn.numbers(numbers, width: more)[start + count - 1]
      return
    }
    width = more
    numbers.withUnsafeBufferPointer { all in
      for component in 0..<more {
        var (known, sum, low, high) = (0, 0.0, least[component], most[component])
        var place = start * more + component
        for _ in 0..<count {
          let number = all[place]
          place &+= more
          // None of this holds for NaN.
          if number == number {
            known &+= 1
            sum += number
          }
          if number < low { low = number }
          if number > high { high = number }
        }
        counts[component] += known
        sums[component] += sum
        least[component] = low
        most[component] = high
      }
    }
  }

  // MARK: Results

  /// How many values there were; of a vector, of the component that has most.
  var count: Int { counts.max() }
  var minimum: Value { value { least[$0] } }
  var maximum: Value { value { most[$0] } }
  var mean: Value { value { sums[$0] / Double(counts[$0]) } }

  private func value(_ component: (Int) -> Double) -> Value {
    guard count > 0 else { return .none }
    let all = (0..<width).map { counts[$0] > 0 ? component($0) : .nan }
    return width == 1 ? .double(all[0]) : Vector(all).map(Value.vector) ?? .none
  }
}

extension [PropertyColumn.Run] {
  /// The place of the run that an entry is in.
  fileprivate func lastIndex(notAbove entry: Int) -> Int {
    var (low, high) = (0, count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if self[middle].start <= entry { low = middle } else { high = middle }
    }
    return low
  }
}
