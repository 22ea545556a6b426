import CGatheredKit
import Gathering
import Glibc
import Ground
import Values

/// Rows of one source as immutable columns, each made when first asked for.
final class FrameObject: HandleObject, @unchecked Sendable {
  // Safe: batches do not change; columns are made once, under the monitor's lock, and live as
  // long as the frame.
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

  private let batches: [ReaderQueue.Batch]
  private let rowCount: Int
  private let properties: [Property]
  private let columns = Monitor(Columns())

  init(_ batches: [ReaderQueue.Batch], of properties: [Property]) {
    self.batches = batches
    self.properties = properties
    rowCount = batches.reduce(0) { $0 + $1.rowCount }
    super.init(.frame)
  }

  override var summary: String { "frame of \(rowCount) rows, \(properties.count) properties" }

  /// The statuses of a property: uint32 a row.
  func statuses(of property: Int) -> gkit_column {
    column(.status(property)) { arena in
      self.pack(arena, type: GKIT_TYPE_INT, property) { $0.status.rawValue }
    }
  }

  /// The rows' times: of their newest sample.
  func times(onWallClock: Bool) -> gkit_column {
    column(onWallClock ? .realtime : .boot) { arena in
      var times: [Int64] = []
      times.reserveCapacity(self.rowCount)
      for batch in self.batches {
        switch batch.content {
        case .reading(let samples):
          let newest = samples.max { $0.time < $1.time }
          times.append((onWallClock ? newest?.realtime : newest?.time) ?? 0)
        case .rows(let slice):
          for row in 0..<slice.rowCount {
            times.append(onWallClock ? slice.realtime(ofRow: row) : slice.time(ofRow: row))
          }
        }
      }
      return self.column(of: times, arena, type: GKIT_TYPE_TIME)
    }
  }

  /// The payloads of a property: missing ones are NaN for numbers, otherwise 0 or NULL.
  func payloads(of property: Int) -> gkit_column {
    column(.payload(property)) { arena in self.makePayloads(property, arena) }
  }

  private func makePayloads(_ property: Int, _ arena: Arena) -> gkit_column {
    switch properties[property].type {
    case .bool:
      return pack(arena, type: GKIT_TYPE_BOOL, property) { sample -> UInt8 in
        if case .bool(true) = sample.value { 1 } else { 0 }
      }
    case .int, .time:
      let type = properties[property].type == .time ? GKIT_TYPE_TIME : GKIT_TYPE_INT
      return pack(arena, type: type, property) { sample -> Int64 in
        switch sample.value {
        case .int(let number), .time(let number): number
        default: 0
        }
      }
    case .double:
      return packNumbers(property, width: 1, arena, type: GKIT_TYPE_DOUBLE)
    case .vector(let components):
      return packNumbers(property, width: components.count, arena, type: GKIT_TYPE_VECTOR)
    case .string, .enumeration:
      return pack(arena, type: GKIT_TYPE_STRING, property) { sample in
        UInt(bitPattern: sample.value.text.flatMap { arena.text($0) })
      }
    case .bytes:
      return pack(arena, type: GKIT_TYPE_BYTES, property) { arena.value($0.value) }
    }
  }

  /// Numbers, which a stream keeps in columns: those are copied as they stand.
  private func packNumbers(
    _ property: Int, width: Int, _ arena: Arena, type: Int
  ) -> gkit_column {
    var numbers: [Double] = []
    numbers.reserveCapacity(rowCount * width)
    for batch in batches {
      if case .rows(let slice) = batch.content,
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
    let data = numbers.withUnsafeBytes { arena.copy($0) }
    return gkit_column(
      data: data, stride: width * MemoryLayout<Double>.stride, rows: rowCount,
      type: UInt32(type), count: UInt32(width))
  }

  private func pack<Element>(
    _ arena: Arena, type: Int, _ property: Int, _ element: (Sample) -> Element
  ) -> gkit_column {
    var elements: [Element] = []
    elements.reserveCapacity(rowCount)
    for batch in batches {
      for row in 0..<batch.rowCount {
        elements.append(element(batch.sample(at: row * batch.width + property).sample))
      }
    }
    return column(of: elements, arena, type: type)
  }

  private func column<Element>(
    of elements: [Element], _ arena: Arena, type: Int
  ) -> gkit_column {
    let data = elements.withUnsafeBytes { arena.copy($0) }
    return gkit_column(
      data: data, stride: MemoryLayout<Element>.stride, rows: elements.count, type: UInt32(type),
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
