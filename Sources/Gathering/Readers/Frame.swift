import Values

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
  public var times: [Int64] { times(of: \.time, \.times) }

  /// The time of each row on CLOCK_REALTIME, in nanoseconds.
  public var realtimes: [Int64] { times(of: \.realtime, \.realtimes) }

  private func times(
    of clock: KeyPath<Sample, Int64>, _ all: KeyPath<RowSlice, [Int64]>
  ) -> [Int64] {
    var times: [Int64] = []
    times.reserveCapacity(rowCount)
    for batch in batches {
      switch batch.payload {
      case .reading(let block):
        times.append(block.samples.max { $0.time < $1.time }?[keyPath: clock] ?? 0)
      case .rows(let slice): times += slice[keyPath: all]
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
    elements(of: property, \.status)
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
        let value = batch.sample(at: row * batch.width + property).sample.value
        if width == 1 {
          numbers.append(value.number ?? .nan)
        } else {
          let vector = value.vector
          for place in 0..<width { numbers.append(vector?[place] ?? .nan) }
        }
      }
    }
    return numbers
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
