package import Values

/// Rows of one source in columns, the oldest first.
///
/// A row is one reading, with one sample of each property. Each request for a column makes a new
/// column. A frame keeps neither its source nor its context alive.
public struct Frame: Sendable {
  /// The number of its source (`Source.number`).
  public let source: UInt32
  /// The property of each column, in catalogue order.
  public let properties: [Property]
  /// How many rows there are.
  public let rowCount: Int
  private let batches: [ReaderBatch]

  init(_ batches: [ReaderBatch], of source: UInt32, _ properties: [Property]) {
    self.source = source
    self.properties = properties
    self.batches = batches
    rowCount = batches.reduce(0) { $0 + $1.rowCount }
  }

  /// The time of each row on CLOCK_BOOTTIME, in nanoseconds: that of its newest sample.
  public var times: [Int64] { times({ $0.time(at: $1) }, { $0.times }) }

  /// The time of each row on CLOCK_REALTIME, in nanoseconds.
  public var realtimes: [Int64] { times({ $0.realtime(at: $1) }, { $0.realtimes }) }

  private func times(
    _ time: (Block, Int) -> Int64, _ all: (RowSlice) -> [Int64]
  ) -> [Int64] {
    var times: [Int64] = []
    times.reserveCapacity(rowCount)
    for batch in batches {
      switch batch.payload {
      case .reading(let block):
        let newest = (0..<block.count).max { block.time(at: $0) < block.time(at: $1) }
        times.append(newest.map { time(block, $0) } ?? 0)
      case .rows(let slice): times += all(slice)
      }
    }
    return times
  }

  /// The payloads of a property; nil for an unknown index.
  public func column(at property: Int) -> FrameColumn? {
    guard properties.indices.contains(property) else { return nil }
    switch properties[property].type {
    case .bool:
      return .flags(
        elements(of: property) { if case .bool(true) = $0.value { true } else { false } })
    case .int: return .integers(elements(of: property, \.integer))
    case .time: return .times(elements(of: property, \.integer))
    case .double: return .numbers(numbers(of: property, width: 1), width: 1)
    case .vector(let components):
      let width = components.count
      return .numbers(numbers(of: property, width: width), width: width)
    case .string, .enumeration: return .texts(elements(of: property) { $0.value.text })
    case .bytes:
      return .bytes(
        elements(of: property) { if case .bytes(let bytes) = $0.value { bytes } else { nil } })
    }
  }

  /// The payloads of a property; nil for an unknown key.
  public func column(_ key: String) -> FrameColumn? {
    properties.firstIndex { $0.key.isSpelt(key) }.flatMap { column(at: $0) }
  }

  /// The status of a property's sample in each row; empty for an unknown index.
  public func statuses(ofPropertyAt property: Int) -> [ValueStatus] {
    guard properties.indices.contains(property) else { return [] }
    var statuses: [ValueStatus] = []
    statuses.reserveCapacity(rowCount)
    for batch in batches {
      switch batch.payload {
      case .reading(let block): statuses.append(block.status(at: property))
      case .rows(let slice):
        for row in 0..<slice.rowCount {
          statuses.append(slice.sample(row: row, property: property).status)
        }
      }
    }
    return statuses
  }

  /// The sequence number of a property's sample in each row; empty for an unknown index.
  public func sequences(ofPropertyAt property: Int) -> [UInt64] {
    elements(of: property, \.sequence)
  }

  /// All samples of a row, in catalogue order; empty for an unknown row.
  public func samples(ofRow row: Int) -> [Sample] {
    var place = row
    for batch in batches where place >= 0 {
      if place < batch.rowCount {
        return properties.indices.map { batch.sample(at: place * batch.width + $0).sample }
      }
      place -= batch.rowCount
    }
    return []
  }

  /// The payload of a property in a row; none where there is no such row.
  package func value(ofRow row: Int, at property: Int) -> Value {
    var place = row
    for batch in batches where place >= 0 {
      if place < batch.rowCount { return batch.value(ofRow: place, property: property) }
      place -= batch.rowCount
    }
    return .none
  }

  /// Calls `body` with the samples of a property, row by row; never for an unknown index.
  package func forEachSample(ofPropertyAt property: Int, _ body: (Sample) -> Void) {
    guard properties.indices.contains(property) else { return }
    for batch in batches {
      for row in 0..<batch.rowCount { body(batch.sample(at: row * batch.width + property).sample) }
    }
  }

  private func elements<Element>(
    of property: Int, _ element: (Sample) -> Element
  ) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(rowCount)
    forEachSample(ofPropertyAt: property) { elements.append(element($0)) }
    return elements
  }

  /// The numbers of a property. A stream keeps its numbers in columns, which are copied whole.
  private func numbers(of property: Int, width: Int) -> [Double] {
    var numbers: [Double] = []
    numbers.reserveCapacity(rowCount * width)
    for batch in batches {
      if case .rows(let slice) = batch.payload,
        let column = slice.numbers(ofPropertyAt: property), column.width == width
      {
        numbers += column.numbers
        continue
      }
      for row in 0..<batch.rowCount {
        numbers.append(of: batch.value(ofRow: row, property: property), width: width)
      }
    }
    return numbers
  }
}

extension ReaderBatch {
  /// The payload of a property in one of its readings.
  fileprivate func value(ofRow row: Int, property: Int) -> Value {
    switch payload {
    case .reading(let block): block.value(at: property)
    case .rows(let slice): slice.sample(row: row, property: property).value
    }
  }
}

extension [Double] {
  /// Appends a number, or the components of a vector; NaN for what it is not.
  fileprivate mutating func append(of value: Value, width: Int) {
    if width == 1 { return append(value.number ?? .nan) }
    let vector = value.vector
    for place in 0..<width { append(vector?[place] ?? .nan) }
  }
}

extension Sample {
  /// The payload as a whole number or a moment; 0 where it is neither.
  fileprivate var integer: Int64 {
    switch value {
    case .int(let number), .time(let number): number
    default: 0
    }
  }
}
