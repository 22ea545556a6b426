import CLinux
import Glibc
import Ground

/// Turns records into columns; worked out once, when a buffer is opened.
struct ScanDecoder: Sendable {
  private struct Column: Sendable {
    let numbers: [clinux_scan_number]
    let matrix: [Double]
    let offset: [Double]
  }

  /// Bytes of one record.
  let recordSize: Int
  private let columns: [Column]
  private let stamp: clinux_scan_number?

  /// A decoder of the groups' columns from records of a layout.
  ///
  /// Throws EOPNOTSUPP at a channel the records do not have, EINVAL for a matrix that does not
  /// fit its channels.
  init(_ groups: [ScanGroup], from layout: ScanLayout, at place: String) throws(SystemError) {
    recordSize = layout.recordSize
    stamp = layout.find(ScanElement.stampName).map { clinux_scan_number($0.format, at: $0.offset) }
    var columns: [Column] = []
    for group in groups {
      var numbers: [clinux_scan_number] = []
      for name in group.channels {
        guard let (offset, format) = layout.find(name) else {
          throw SystemError(EOPNOTSUPP, at: place + "/scan_elements/in_" + name + "_en")
        }
        for word in 0..<format.repeats {
          numbers.append(clinux_scan_number(format, at: offset + word * format.wordSize))
        }
      }
      guard numbers.count <= CLINUX_SCAN_NUMBERS,
        group.matrix.count == numbers.count * group.width
      else { throw SystemError(EINVAL, at: place) }
      columns.append(Column(numbers: numbers, matrix: group.matrix, offset: group.offset))
    }
    self.columns = columns
  }

  /// Whether records carry time stamps.
  var hasStamps: Bool { stamp != nil }

  /// The time stamps of records, on whatever clock wrote them; nil without.
  func stamps(of records: UnsafeRawBufferPointer) -> [Int64]? {
    guard var stamp, let count = count(of: records), let base = records.baseAddress else {
      return stamp.map { _ in [] }
    }
    return [Int64](unsafeUninitializedCapacity: count) { room, filled in
      clinux_scan_stamps(base, recordSize, count, &stamp, room.baseAddress)
      filled = count
    }
  }

  /// The columns of records, one a group.
  func columns(of records: UnsafeRawBufferPointer) -> [[Double]] {
    guard let count = count(of: records), let base = records.baseAddress else {
      return columns.map { _ in [] }
    }
    return columns.map { column in
      let width = column.offset.count
      return [Double](unsafeUninitializedCapacity: count * width) { room, filled in
        clinux_scan_column(
          base, recordSize, count, column.numbers, column.numbers.count, column.matrix,
          column.offset, width, room.baseAddress)
        filled = count * width
      }
    }
  }

  /// How many whole records there are; nil if none.
  private func count(of records: UnsafeRawBufferPointer) -> Int? {
    guard recordSize > 0 else { return nil }
    let count = records.count / recordSize
    return count > 0 ? count : nil
  }
}

extension clinux_scan_number {
  fileprivate init(_ format: ScanFormat, at offset: Int) {
    self.init(
      offset: UInt32(offset), bytes: UInt8(format.wordSize), bits: UInt8(format.bits),
      shift: UInt8(format.shift), is_signed: format.isSigned, is_big: format.isBigEndian)
  }
}
