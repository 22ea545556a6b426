import Glibc

extension ArraySlice<UInt8> {
  /// Whether the bytes are the same: memcmp(3), which compares many at once.
  public func equals(_ other: ArraySlice<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBytes { left in
      other.withUnsafeBytes { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return true }
        return memcmp(left, right, count) == 0
      }
    }
  }
}
