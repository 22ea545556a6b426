public import Gathering
import Values

/// The rows of a frame as a record batch, of the same shape as the rows of a recording.
public struct FrameTable: Sendable {
  /// The source the rows were read from; nil where it is not known any more.
  public struct Origin: Sendable {
    let id: SourceIdentifier
    let label: String

    /// That of an open session.
    public init(_ source: Source) {
      id = source.id
      label = source.label
    }
  }

  let origin: Origin?
  let columns: [RecordedColumn]
  package let batch: TableBatch

  /// Throws `limit` where the texts or the bytes of a property are more than a column can count.
  public init(_ frame: Frame, of origin: Origin?) throws(SourceError) {
    self.origin = origin
    columns = frame.properties.map { RecordedColumn($0) }
    var values: [ColumnValues] = []
    for place in frame.properties.indices {
      values.append(try ColumnValues(frame, property: place))
    }
    batch = TableBatch(
      rowCount: frame.rowCount, times: frame.realtimes, boots: frame.times, columns: values)
  }
}

extension ColumnValues {
  /// The payloads of a property in the rows of a frame.
  fileprivate init(_ frame: Frame, property: Int) throws(SourceError) {
    switch frame.column(at: property) {
    case .flags(let flags):
      var bits = [UInt8](repeating: 0, count: (flags.count + 7) / 8)
      for (row, flag) in flags.enumerated() where flag { bits[row >> 3] |= 1 << UInt8(row & 7) }
      self.init(content: .bits(bits))
    case .integers(let numbers), .times(let numbers): self.init(content: .integers(numbers))
    case .numbers(let numbers, let width):
      self.init(content: .numbers(numbers, width: width))
    case .texts(let texts):
      self.init(content: try Self.joined(texts.map { $0.map { Array($0.utf8) } }))
    case .bytes(let all): self.init(content: try Self.joined(all))
    case nil: self.init(content: .integers([]))
    }
    var present = [UInt8](repeating: 0, count: (frame.rowCount + 7) / 8)
    var row = 0
    frame.forEachSample(ofPropertyAt: property) { sample in
      if case .none = sample.value {
        missingCount += 1
      } else {
        present[row >> 3] |= 1 << UInt8(row & 7)
      }
      row += 1
    }
    if missingCount > 0 { validity = present }
  }

  private static func joined(_ rows: [[UInt8]?]) throws(SourceError) -> Content {
    var (all, starts): ([UInt8], [Int32]) = ([], [0])
    starts.reserveCapacity(rows.count + 1)
    for row in rows {
      all += row ?? []
      guard let end = Int32(exactly: all.count) else {
        throw .limit("a column has room for \(Int32.max) bytes")
      }
      starts.append(end)
    }
    return .bytes(all, starts: starts)
  }
}
