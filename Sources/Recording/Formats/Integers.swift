import CLinux

/// A column of integers, stored as first number and stride while they are evenly spaced.
struct Integers: Sendable {
  private(set) var count = 0
  private var first: Int64 = 0
  private var stride: Int64 = 0
  /// All numbers, once they are no longer evenly spaced.
  private var numbers: [Int64]?

  init() {}

  subscript(index: Int) -> Int64 {
    if let numbers { return numbers[index] }
    return first &+ stride &* Int64(index)
  }

  /// The last one, if there is any.
  var last: Int64? { count > 0 ? self[count - 1] : nil }

  /// All of them in an array.
  var all: [Int64] { numbers ?? (0..<count).map { self[$0] } }

  /// The number, if all are equal; nil otherwise.
  var constant: Int64? { numbers == nil && (stride == 0 || count == 1) ? first : nil }

  /// Whether they are stored as first number and stride.
  var isEven: Bool { numbers == nil }

  mutating func append(_ number: Int64) { append(from: number, stride: 0, count: 1) }

  /// Appends numbers of even spacing.
  mutating func append(from start: Int64, stride step: Int64, count more: Int) {
    guard more > 0 else { return }
    defer { count += more }
    if numbers == nil {
      if count == 0 {
        (first, stride) = (start, step)
        return
      }
      if count == 1 && (more == 1 || start &- first == step) {
        stride = start &- first
        return
      }
      if start == self[count] && (more == 1 || step == stride) { return }
      numbers = all
    }
    for index in 0..<more { numbers?.append(start &+ step &* Int64(index)) }
  }

  /// Appends numbers of any spacing; reserves room for the total number expected.
  mutating func append(contentsOf more: ArraySlice<Int64>, expecting room: Int) {
    if numbers == nil {
      numbers = all
      numbers?.reserveCapacity(room)
    }
    numbers?.append(contentsOf: more)
    count += more.count
  }

  // MARK: Packed

  func write(to out: inout ByteWriter) {
    guard let numbers, count > 1 else {
      out.put(0)
      out.put(signed: count == 0 ? 0 : self[0])
      out.put(signed: stride)
      return
    }
    out.put(1)
    out.put(numbers.withUnsafeBufferPointer(Self.packed))
  }

  static func packed(_ numbers: UnsafeBufferPointer<Int64>) -> [UInt8] {
    guard let first = numbers.baseAddress else { return [] }
    let groups = numbers.count / Int(CLINUX_GROUP) + 1
    let room = 16 + groups * 19 + numbers.count * 8
    return [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      if let out = buffer.baseAddress { count = clinux_pack(first, numbers.count, out) }
    }
  }

  /// Reads a column of a known number of rows.
  init(_ reader: inout ByteReader, count: Int) throws(Malformed) {
    self.count = count
    switch try reader.byte() {
    case 0:
      first = try reader.signed()
      stride = try reader.signed()
    case 1: numbers = try Self.unpacked(&reader, count: count)
    default: throw Malformed("whole numbers are packed in an unknown way")
    }
  }

  static func unpacked(_ reader: inout ByteReader, count: Int) throws(Malformed) -> [Int64] {
    try reader.reserve(count)
    guard count > 0 else { return [] }
    var numbers = [Int64](repeating: 0, count: count)
    try reader.unpack { bytes, length in
      let taken = clinux_unpack(bytes, length, count, &numbers)
      return taken == 0 ? nil : taken
    }
    return numbers
  }

  /// Whether they rise from one to the next, from 0 at least up to below a limit.
  func areIndices(below limit: Int) -> Bool {
    guard count > 0 else { return true }
    guard isEven else {
      var last: Int64 = -1
      for number in all {
        if number <= last { return false }
        last = number
      }
      return last < Int64(limit)
    }
    guard first >= 0, first < Int64(limit) else { return false }
    guard count > 1 else { return true }
    // As many steps as there are numbers left would else leave the range.
    return stride > 0 && stride <= Int64(limit)
      && first + stride * Int64(count - 1) < Int64(limit)
  }

  /// The place of the last number that is not above one; the numbers rise.
  func lastIndex(notAbove number: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] <= number { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }
}
