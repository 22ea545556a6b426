import CGatheredKit
import Gathering
import Ground
import Recording
import Values

/// A frame as C holds it: its columns lie in memory of C, each made when first asked for.
final class FrameObject: HandleObject, @unchecked Sendable {
  // Safe: columns are made once, under the monitor's lock, and live as long as the frame.
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

  private let frame: Frame
  private let origin: FrameTable.Origin?
  private let columns = Monitor(Columns())

  init(_ frame: Frame, of origin: FrameTable.Origin?) {
    self.frame = frame
    self.origin = origin
    super.init(.frame)
  }

  override var summary: String {
    "frame of \(frame.rowCount) rows, \(frame.properties.count) properties"
  }

  /// The statuses of a property: uint32 a row.
  func statuses(of property: Int) -> gkit_column {
    column(.status(property)) { arena in
      self.column(of: property, arena, GKIT_TYPE_INT) { $0.status.rawValue }
    }
  }

  /// The rows' times: of their newest sample.
  func times(onWallClock: Bool) -> gkit_column {
    column(onWallClock ? .realtime : .boot) { arena in
      arena.column(onWallClock ? self.frame.realtimes : self.frame.times, GKIT_TYPE_TIME)
    }
  }

  /// The payloads of a property: missing ones are NaN for numbers, otherwise 0 or NULL.
  func payloads(of property: Int) -> gkit_column {
    column(.payload(property)) { arena in
      switch self.frame.properties[property].type {
      // What C points to is made row by row, without a Swift text beside it.
      case .string, .enumeration:
        return self.column(of: property, arena, GKIT_TYPE_STRING) { sample in
          UInt(bitPattern: sample.value.text.flatMap { arena.text($0) })
        }
      case .bytes:
        return self.column(of: property, arena, GKIT_TYPE_BYTES) { arena.value($0.value) }
      default: break
      }
      switch self.frame.column(at: property) {
      case .flags(let flags): return arena.column(flags, GKIT_TYPE_BOOL)
      case .integers(let numbers): return arena.column(numbers, GKIT_TYPE_INT)
      case .times(let times): return arena.column(times, GKIT_TYPE_TIME)
      case .numbers(let numbers, let width):
        let isVector = self.frame.properties[property].type != .double
        return arena.column(numbers, isVector ? GKIT_TYPE_VECTOR : GKIT_TYPE_DOUBLE, width: width)
      case .texts, .bytes, nil: return gkit_column()
      }
    }
  }

  /// All rows, as other libraries take them. Throws LIMIT for a column that is too long.
  func table() throws -> FrameTable { try FrameTable(frame, of: origin) }

  private func column<Element>(
    of property: Int, _ arena: Arena, _ type: Int, _ element: (Sample) -> Element
  ) -> gkit_column {
    var elements: [Element] = []
    elements.reserveCapacity(frame.rowCount)
    frame.forEachSample(ofPropertyAt: property) { elements.append(element($0)) }
    return arena.column(elements, type)
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
  func check(_ property: UInt32) throws -> Int {
    try checked(property, below: frame.properties.count)
  }
}

extension Arena {
  /// A copy of elements as a column of `width` of them a row.
  fileprivate func column<Element>(
    _ elements: [Element], _ type: Int, width: Int = 1
  ) -> gkit_column {
    gkit_column(
      data: elements.withUnsafeBytes { copy($0) }, stride: width * MemoryLayout<Element>.stride,
      rows: elements.count / width, type: UInt32(type), count: UInt32(width))
  }
}
