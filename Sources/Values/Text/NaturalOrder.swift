/// The order in which people expect names: digits count as numbers, so `BAT2` comes before
/// `BAT10` (sources H1).
public enum NaturalOrder {
  /// Whether one name comes before another.
  ///
  /// Names are compared byte by byte, runs of ASCII digits by their number. Names that differ in
  /// leading zeros alone are ordered by their bytes, so that the order is total.
  public static func areInIncreasingOrder(_ left: String, _ right: String) -> Bool {
    var (left, right) = (left, right)
    return left.withUTF8 { left in
      right.withUTF8 { areInIncreasingOrder(left, $0) }
    }
  }

  private static func areInIncreasingOrder(
    _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var leftRest = left[...]
    var rightRest = right[...]
    while let leftByte = leftRest.first, let rightByte = rightRest.first {
      if isDigit(leftByte) && isDigit(rightByte) {
        let leftNumber = takeNumber(from: &leftRest)
        let rightNumber = takeNumber(from: &rightRest)
        if leftNumber.count != rightNumber.count { return leftNumber.count < rightNumber.count }
        if !leftNumber.elementsEqual(rightNumber) {
          return leftNumber.lexicographicallyPrecedes(rightNumber)
        }
      } else {
        if leftByte != rightByte { return leftByte < rightByte }
        leftRest.removeFirst()
        rightRest.removeFirst()
      }
    }
    if leftRest.isEmpty && rightRest.isEmpty { return left.lexicographicallyPrecedes(right) }
    return leftRest.isEmpty
  }

  /// Removes a run of digits and gives it back without leading zeros: longer is then larger.
  private static func takeNumber(
    from rest: inout Slice<UnsafeBufferPointer<UInt8>>
  ) -> Slice<UnsafeBufferPointer<UInt8>> {
    let digits = rest.prefix(while: isDigit)
    rest = rest.dropFirst(digits.count)
    return digits.drop { $0 == UInt8(ascii: "0") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
