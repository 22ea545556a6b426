public import Gathering

/// The rows of one block of a recording: as many samples in each as its series has properties.
public struct RecordedRows: Sendable {
  /// The number of the series.
  public let series: UInt32
  let table: RowTable

  init(series: UInt32, _ table: RowTable) {
    self.series = series
    self.table = table
  }

  /// Reads the untrusted body of a block of rows. Throws `parse` where it is malformed.
  package init(body: [UInt8]) throws(SourceError) {
    do throws(Malformed) {
      self.init(series: try Format.series(of: body), try RowTable(body: body))
    } catch {
      throw .parse(error.reason)
    }
  }

  /// The same rows as the bodies of two blocks, the first half first.
  package var halves: [(body: [UInt8], rowCount: Int)] {
    let middle = rowCount / 2
    return [0..<middle, middle..<rowCount].map { rows in
      var half = RowTable(properties: propertyCount, expecting: rows.count)
      for row in rows {
        half.append(time: table.times[row], offset: table.offsets[row], samples(ofRow: row))
      }
      var scales = [Numbers.Scale?](repeating: nil, count: propertyCount)
      return (half.body(ofSeries: series, scales: &scales), half.rowCount)
    }
  }

  /// How many rows there are; at least one.
  public var rowCount: Int { table.rowCount }

  /// How many samples a row has.
  public var propertyCount: Int { table.columns.count }

  /// When each row was so, on the CLOCK_BOOTTIME of the computer that recorded it.
  public var times: [Int64] { table.times.all }

  /// When each row was so, on CLOCK_REALTIME.
  public var realtimes: [Int64] {
    let times = table.times.all
    guard let offset = table.offsets.constant else {
      return times.indices.map { times[$0] &+ table.offsets[$0] }
    }
    return times.map { $0 &+ offset }
  }

  /// One sample, bit by bit as it was delivered.
  ///
  /// `row` and `property` must exist.
  public func sample(row: Int, property: Int) -> Sample {
    table.sample(row: row, property: property)
  }

  /// All samples of a row, in catalogue order.
  public func samples(ofRow row: Int) -> [Sample] {
    (0..<propertyCount).map { sample(row: row, property: $0) }
  }

  /// The numbers of a property in all rows, `width` a row, where every row has numbers of its own;
  /// nil otherwise.
  public func numbers(ofPropertyAt property: Int) -> (numbers: [Double], width: Int)? {
    let column = table.columns[property]
    guard column.count == rowCount, case .numbers(let numbers, let width) = column.payloads,
      numbers.count == rowCount * width
    else { return nil }
    return (numbers, width)
  }
}
