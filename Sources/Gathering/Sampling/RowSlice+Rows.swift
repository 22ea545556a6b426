import CGatheredKit
import Ground

/// Rows of a stream with the layout of the C interface.
extension RowSlice {
  /// One row as an update of its own.
  func row(_ row: Int) -> Block {
    let block = Block(count: propertyCount)
    write(row, over: block)
    return block
  }

  /// Makes a block that is not handed on yet one of the rows.
  func write(_ row: Int, over target: Block) {
    if let own { target.copy(own[row]) } else { block.put(place(row), into: target) }
    for index in 0..<target.count { target.rows[index].source = session }
    mark(target.rows, row)
  }

  /// Writes one row. Its texts are those of the slice, which has to live as long.
  func write(_ row: Int, to target: UnsafeMutablePointer<Row>) {
    let width = propertyCount
    let whole = own.map { UnsafePointer($0[row].rows) } ?? UnsafePointer(block.carried.rows)
    target.update(from: whole, count: width)
    for index in 0..<width { target[index].source = session }
    if own == nil {
      for column in block.columns {
        block.write(place(row), of: column, to: target + column.property)
      }
    }
    mark(target, row)
  }

  /// Writes all rows one behind the other.
  fileprivate func write(to target: UnsafeMutablePointer<Row>) {
    let width = propertyCount
    for row in 0..<rowCount {
      let start = target + row * width
      let carried = row == 0 ? UnsafePointer(block.carried.rows) : UnsafePointer(start - width)
      start.update(from: own.map { UnsafePointer($0[row].rows) } ?? carried, count: width)
      for index in 0..<width { start[index].source = session }
      if own == nil {
        for column in block.columns {
          block.write(place(row), of: column, to: start + column.property)
        }
      }
      if row == 0 {
        mark(start, row)
      } else {
        for index in 0..<width { Self.mark(start + index, behind: start + index - width) }
      }
    }
  }

  /// Marks what is new in one row.
  private func mark(_ rows: UnsafeMutablePointer<Row>, _ row: Int) {
    if row == 0 || own != nil {
      let former = row == 0 ? before : own?[row - 1] ?? before
      var unread = Row()
      unread.status = ValueStatus.noData.rawValue
      for index in 0..<propertyCount {
        if index < former.count {
          Self.mark(rows + index, behind: former.rows + index)
        } else {
          withUnsafeMutablePointer(to: &unread) { Self.mark(rows + index, behind: $0) }
        }
        if row == 0 && hasGap { rows[index].flags |= SampleFlags.gap.rawValue }
      }
      return
    }
    // What is carried is as it was in the row before.
    for index in 0..<propertyCount { rows[index].flags &= Self.unmarked }
    var former = Row()
    for column in block.columns {
      block.write(place(row - 1), of: column, to: &former)
      Self.mark(rows + column.property, behind: &former)
    }
  }

  private static let unmarked: UInt32 = ~(SampleFlags.isNew.rawValue | SampleFlags.gap.rawValue)

  /// Marks a row new if it is another one than its predecessor.
  @inline(__always)
  private static func mark(_ row: UnsafeMutablePointer<Row>, behind former: UnsafePointer<Row>) {
    let isNews =
      row.pointee.sequence != former.pointee.sequence || row.pointee.status != former.pointee.status
    row.pointee.flags = row.pointee.flags & unmarked | (isNews ? SampleFlags.isNew.rawValue : 0)
  }
}

/// The rows of some slices one behind the other, as functions of the C interface get them. Texts
/// are those of the slices, which have to live as long.
final class FlatRows {
  let rows: UnsafeMutablePointer<Row>
  let count: Int

  init(_ slices: [RowSlice]) {
    count = slices.reduce(0) { $0 + $1.rowCount * $1.propertyCount }
    rows = .allocate(capacity: max(count, 1))
    rows.initialize(repeating: Row(), count: count)
    var next = rows
    for slice in slices {
      slice.write(to: next)
      next += slice.rowCount * slice.propertyCount
    }
  }

  deinit { rows.deallocate() }
}
