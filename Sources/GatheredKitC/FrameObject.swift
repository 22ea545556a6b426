import CGatheredKit
import Gathering
import Glibc
import Machine

/// Rows of one source as immutable columns, each made when first asked for.
final class FrameObject: HandleObject, @unchecked Sendable {
  // Safe: rows never change; columns are made once, under the monitor's lock, and live as long as
  // the frame.
  private enum Key: Hashable {
    case payload(Int)
    case status(Int)
    case realtime
    case boot
  }

  // Safe: under the monitor's lock.
  private struct Columns: @unchecked Sendable {
    var made: [Key: gkit_column] = [:]
    let arena = Arena()
  }

  private let rows: [[Sample]]
  private let properties: [Property]
  private let columns = Monitor(Columns())

  init(_ rows: [[Sample]], of properties: [Property]) {
    self.rows = rows
    self.properties = properties
    super.init(.frame)
  }

  override var summary: String { "frame of \(rows.count) rows, \(properties.count) properties" }

  /// The statuses of a property: uint32 a row.
  func statuses(of property: Int) -> gkit_column {
    column(.status(property)) { arena in
      self.pack(arena, type: GKIT_TYPE_INT) { $0[property].status.rawValue }
    }
  }

  /// The rows' times: of their newest sample.
  func times(onWallClock: Bool) -> gkit_column {
    column(onWallClock ? .realtime : .boot) { arena in
      self.pack(arena, type: GKIT_TYPE_TIME) { row -> Int64 in
        let newest = row.max { $0.time < $1.time }
        return (onWallClock ? newest?.realtime : newest?.time) ?? 0
      }
    }
  }

  /// The payloads of a property: missing ones are NaN for numbers, otherwise 0 or NULL.
  func payloads(of property: Int) -> gkit_column {
    column(.payload(property)) { arena in self.makePayloads(property, arena) }
  }

  private func makePayloads(_ property: Int, _ arena: Arena) -> gkit_column {
    switch properties[property].type {
    case .bool:
      return pack(arena, type: GKIT_TYPE_BOOL) { row -> UInt8 in
        if case .bool(true) = row[property].value { 1 } else { 0 }
      }
    case .int, .time:
      let type = properties[property].type == .time ? GKIT_TYPE_TIME : GKIT_TYPE_INT
      return pack(arena, type: type) { row -> Int64 in
        switch row[property].value {
        case .int(let number), .time(let number): number
        default: 0
        }
      }
    case .double:
      return pack(arena, type: GKIT_TYPE_DOUBLE) { $0[property].value.number ?? .nan }
    case .vector(let components):
      return packVectors(property, count: components.count, arena)
    case .string, .enumeration:
      return pack(arena, type: GKIT_TYPE_STRING) { row in
        UInt(bitPattern: row[property].value.text.flatMap { arena.text($0) })
      }
    case .bytes:
      return pack(arena, type: GKIT_TYPE_BYTES) { arena.value($0[property].value) }
    }
  }

  private func packVectors(_ property: Int, count: Int, _ arena: Arena) -> gkit_column {
    let numbers = rows.flatMap { row in
      let vector = row[property].value.vector
      return (0..<count).map { vector?[$0] ?? .nan }
    }
    let data = numbers.withUnsafeBytes { arena.copy($0) }
    return gkit_column(
      data: data, stride: count * MemoryLayout<Double>.stride, rows: rows.count,
      type: UInt32(GKIT_TYPE_VECTOR), count: UInt32(count))
  }

  private func pack<Element>(
    _ arena: Arena, type: Int, _ element: ([Sample]) -> Element
  ) -> gkit_column {
    let data = rows.map(element).withUnsafeBytes { arena.copy($0) }
    return gkit_column(
      data: data, stride: MemoryLayout<Element>.stride, rows: rows.count, type: UInt32(type),
      count: 1)
  }

  private func column(_ key: Key, _ make: (Arena) -> gkit_column) -> gkit_column {
    columns.withLock { columns in
      if let made = columns.made[key] { return made }
      let column = make(columns.arena)
      columns.made[key] = column
      return column
    }
  }

  /// Whether there is such a property.
  func check(_ property: UInt32) throws -> Int { try checked(property, below: properties.count) }
}
