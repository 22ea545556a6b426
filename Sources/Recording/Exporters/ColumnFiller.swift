import Gathering
import Values

/// Spreads what is recorded of one property over all rows: a row without an entry has the one
/// before.
struct ColumnFiller {
  private let column: PropertyColumn?
  private let rows: Range<Int>

  /// The rows of a column; nil for one that is missing in all.
  init(_ column: PropertyColumn?, rows: Range<Int>) {
    self.column = column
    self.rows = rows
  }

  /// The values of the rows, as a column of a table takes them; what is of another type is missing.
  func values(of target: RecordedColumn) -> ColumnValues {
    switch target.property.type {
    case .bool: bits()
    case .int: integers(.int) { if case .int(let number) = $0 { number } else { nil } }
    case .time: integers(.time) { if case .time(let moment) = $0 { moment } else { nil } }
    case .double: numbers(width: 1)
    case .vector(let components): numbers(width: components.count)
    case .string, .enumeration: bytes(target.isJSON ? { $0.jsonBytes } : { $0.textBytes })
    case .bytes: bytes { if case .bytes(let bytes) = $0 { bytes } else { nil } }
    }
  }

  // MARK: By type

  private func bits() -> ColumnValues {
    var bits = [UInt8](repeating: 0, count: (rows.count + 7) / 8)
    return filled { indices, payloads, place in
      guard case .bool(let flag) = payloads[place] else { return false }
      if flag { bits.setBits(indices) }
      return true
    } content: {
      .bits(bits)
    }
  }

  private func integers(
    _ whole: PayloadColumn.Whole, _ number: (Value) -> Int64?
  ) -> ColumnValues {
    if let column, hasOwnInAll, case .whole(whole, let numbers) = column.payloads {
      return ColumnValues(content: .integers(Array(numbers.all[rows])))
    }
    var numbers = [Int64](repeating: 0, count: rows.count)
    return filled { indices, payloads, place in
      guard let number = number(payloads[place]) else { return false }
      for index in indices { numbers[index] = number }
      return true
    } content: {
      .integers(numbers)
    }
  }

  private func numbers(width: Int) -> ColumnValues {
    if let whole = wholeNumbers(width: width) {
      return ColumnValues(content: .numbers(whole, width: width))
    }
    var numbers = [Double](repeating: .nan, count: rows.count * width)
    return filled { indices, payloads, place in
      let value = payloads[place]
      let own = width == 1 ? value.number.map { [$0] } : value.vector?.components
      guard let own, own.count == width else { return false }
      for index in indices {
        for component in 0..<width { numbers[index * width + component] = own[component] }
      }
      return true
    } content: {
      .numbers(numbers, width: width)
    }
  }

  /// The numbers as they are packed, where every row has its own.
  private func wholeNumbers(width: Int) -> [Double]? {
    guard let column, hasOwnInAll, case .numbers(let numbers, width) = column.payloads,
      numbers.count == column.count * width
    else { return nil }
    return Array(numbers[rows.lowerBound * width..<rows.upperBound * width])
  }

  /// Whether every row has an entry with a payload to be shown.
  private var hasOwnInAll: Bool {
    guard let column else { return false }
    return column.count == column.rows.spanned && rows.upperBound <= column.count
      && column.runs.allSatisfy(\.manner.shows)
  }

  private func bytes(_ bytes: (Value) -> [UInt8]?) -> ColumnValues {
    var all: [UInt8] = []
    var starts: [Int32] = [0]
    starts.reserveCapacity(rows.count + 1)
    return filled { indices, payloads, place in
      guard let own = bytes(payloads[place]) else { return false }
      starts.fill(with: Int32(all.count), upTo: indices.lowerBound + 1)
      for more in 0..<indices.count { starts.append(Int32(all.count + (more + 1) * own.count)) }
      all.append(own, times: indices.count)
      return true
    } content: {
      starts.fill(with: Int32(all.count), upTo: rows.count + 1)
      return .bytes(all, starts: starts)
    }
  }

  // MARK: What is the same at once

  /// Asks for each payload whether it is taken, and for which rows, and notes the rows that have
  /// none.
  private func filled(
    _ take: (_ indices: Range<Int>, _ payloads: PayloadColumn, _ place: Int) -> Bool,
    content: () -> ColumnValues.Content
  ) -> ColumnValues {
    var validity = [UInt8](repeating: 0, count: (rows.count + 7) / 8)
    var count = 0
    if let column {
      let (entries, runs, payloads) = (column.rows, column.runs, column.payloads)
      var entry = entries.lastIndex(notAbove: Int64(rows.lowerBound))
      var run = 0
      var index = 0
      while index < rows.count {
        while run + 1 < runs.count, runs[run + 1].start <= entry { run += 1 }
        let place = runs[run].payloadStart + entry - runs[run].start
        var end = run + 1 < runs.count ? runs[run + 1].start : entries.count
        if runs[run].manner.shows {
          end = entry - place + payloads.endOfSame(from: place, before: place + end - entry)
        }
        let next = end < entries.count ? Int(entries[end]) : rows.upperBound
        let indices = index..<min(next, rows.upperBound) - rows.lowerBound
        if runs[run].manner.shows, take(indices, payloads, place) {
          validity.setBits(indices)
          count += indices.count
        }
        index = indices.upperBound
        entry = end
      }
    }
    let missing = rows.count - count
    return ColumnValues(
      missingCount: missing, validity: missing == 0 ? [] : validity, content: content())
  }
}

extension [UInt8] {
  /// Sets some bits, the lowest of a byte first.
  fileprivate mutating func setBits(_ bits: Range<Int>) {
    var bit = bits.lowerBound
    while bit < bits.upperBound {
      if bit & 7 == 0, bits.upperBound - bit >= 8 {
        self[bit >> 3] = 0xFF
        bit += 8
      } else {
        self[bit >> 3] |= 1 << UInt8(bit & 7)
        bit += 1
      }
    }
  }

  /// Appends bytes so many times, twice as many at each step.
  fileprivate mutating func append(_ bytes: [UInt8], times: Int) {
    var (more, rest) = (bytes, times)
    while rest > 0 {
      if rest & 1 == 1 { self += more }
      rest >>= 1
      if rest > 0 { more += more }
    }
  }
}

extension [Int32] {
  /// Grows to a length.
  fileprivate mutating func fill(with number: Int32, upTo length: Int) {
    if count < length { self += repeatElement(number, count: length - count) }
  }
}

extension PropertyColumn {
  /// How many bytes a row takes at most, as a column of a table.
  func rowBytes(as target: RecordedColumn) -> Int {
    switch target.property.type {
    case .bool, .int, .double, .time: return 9
    case .vector(let components): return 9 + components.count * 8
    case .string, .bytes, .enumeration:
      // JSON spells what is not printed with six characters a byte.
      let factor = target.isJSON ? 6 : 1
      switch payloads {
      case .words(_, let words): return 16 + factor * (words.table.map(\.weight).max() ?? 0)
      case .mixed(let values): return 64 + factor * (values.map(\.weight).max() ?? 0)
      default: return 64 * factor
      }
    }
  }
}

extension EntryManner {
  /// Whether there is a payload to be shown.
  fileprivate var shows: Bool { hasPayload && status.hasPayload }
}

extension Integers {
  /// How many rows there are up to the last one that has an entry.
  fileprivate var spanned: Int { count == 0 ? 0 : Int(self[count - 1]) + 1 }
}

extension Value {
  fileprivate var textBytes: [UInt8]? { text.map { Array($0.utf8) } }

  fileprivate var jsonBytes: [UInt8]? {
    guard type != .none else { return nil }
    return Array(jsonText.utf8)
  }
}
