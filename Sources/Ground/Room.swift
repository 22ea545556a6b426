import Glibc

/// Checks whether memory is available before Swift's allocator is called, which would end the
/// process otherwise (C API R20).
public enum Room {
  /// Smaller sizes are not checked: the allocator usually has that much in reserve.
  public static let small = 1 << 16
  /// The most bytes that a value of a caller may have: 1 GiB.
  public static let limit = 1 << 30
  /// The memory left for small allocations.
  private static let reserve = 4 << 20

  /// Whether this many bytes are available now.
  public static func has(_ bytes: Int) -> Bool {
    if bytes < small { return true }
    let (size, overflow) = bytes.addingReportingOverflow(reserve)
    if overflow { return false }
    // Memory that is mapped and never touched costs a system call but no memory.
    guard
      let place = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      place != MAP_FAILED
    else { return false }
    munmap(place, size)
    return true
  }

  /// Throws ENOMEM if this many bytes, this many times, are not available now.
  public static func check(
    _ bytes: Int, timesFor times: Int, at place: String
  ) throws(SystemError) {
    let (need, overflow) = bytes.multipliedReportingOverflow(by: times)
    if overflow || !has(need) { throw SystemError(ENOMEM, at: place) }
  }
}

extension SystemError {
  /// The error for memory that is not available.
  public static let noMemory = SystemError(ENOMEM, at: "memory")
}
