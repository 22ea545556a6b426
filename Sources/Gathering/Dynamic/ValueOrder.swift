import Streams
import Synchronization
import Values

/// An order of values, for `sorted`: numbers, texts, booleans and moments, each among themselves.
///
/// What has no place in it, such as an element without the member it is sorted by, comes last.
struct ValueOrder: Sendable {
  let key: String?
  let isDescending: Bool

  private static let hasTold = Atomic<Bool>(false)

  func isBefore(_ left: Value, _ right: Value) -> Bool {
    let (left, right) = (part(of: left), part(of: right))
    let (first, second) = (Self.rank(of: left), Self.rank(of: right))
    if first != second { return first < second }
    return isDescending ? Self.isLess(right, left) : Self.isLess(left, right)
  }

  private func part(of element: Value) -> Value {
    guard let key else { return element }
    guard case .dictionary(let members) = element else {
      if !Self.hasTold.exchange(true, ordering: .relaxed) {
        Log.write(.warning, "streams", "sorted by \(key): an element is no dict and comes last")
      }
      return .none
    }
    return members[key] ?? .none
  }

  private static func rank(of value: Value) -> Int {
    switch value {
    case .int: 0
    case .double(let number): number.isNaN ? 4 : 0
    case .string: 1
    case .bool: 2
    case .time: 3
    default: 4
    }
  }

  /// Of two of one rank.
  private static func isLess(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.int(let left), .int(let right)), (.time(let left), .time(let right)): left < right
    case (.string(let left), .string(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.bool(let left), .bool(let right)): !left && right
    default:
      if let left = left.number, let right = right.number { left < right } else { false }
    }
  }
}

/// The sum of the numbers among values: an INT that wraps, or a compensated DOUBLE as soon as there
/// is one; all else counts as 0.
struct ValueSum: ArraySummary {
  private var whole: Int64 = 0
  private var broken = CompensatedSum()
  private var doubles = 0

  private static let hasTold = Atomic<Bool>(false)

  mutating func insert(_ element: Value) {
    switch element {
    case .int(let number): whole &+= number
    case .double(let number):
      broken.insert(number)
      doubles += 1
    default:
      if !Self.hasTold.exchange(true, ordering: .relaxed) {
        Log.write(.warning, "streams", "sum: a \(element.typeWord) counts as 0")
      }
    }
  }

  mutating func remove(_ element: Value) {
    switch element {
    case .int(let number): whole &-= number
    case .double(let number):
      doubles -= 1
      if doubles > 0 { broken.remove(number) } else { broken = CompensatedSum() }
    default: break
    }
  }

  func result(count: Int) -> Value {
    doubles > 0 ? .double(Double(whole) + broken.result(count: doubles)) : .int(whole)
  }
}
