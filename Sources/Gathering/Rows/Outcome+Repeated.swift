import Glibc
import Values

extension Outcome {
  /// Whether an outcome, where it lies, says the same without a stamp: an absence for the same
  /// reason, or a good text.
  func isRepeated(by other: UnsafePointer<Outcome>) -> Bool {
    // Safe: the other outcome is only read during the call.
    guard stamp == nil, other.pointee.stamp == nil, status == other.pointee.status else {
      return false
    }
    if let reason = absence { return status != .stale && other.pointee.absence === reason }
    guard status == .ok, !other.pointee.isReplayed,
      isLowAccuracy == other.pointee.isLowAccuracy, case .string(var text) = value,
      case .string(var known) = other.pointee.value
    else { return false }
    if text.isVery(known) { return true }
    return text.withUTF8 { left in
      known.withUTF8 { right in
        let count = left.count
        guard count == right.count else { return false }
        guard let left = left.baseAddress, let right = right.baseAddress else { return true }
        return memcmp(left, right, count) == 0
      }
    }
  }
}
