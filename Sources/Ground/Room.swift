import Glibc

/// Whether memory can be had: asked before Swift's allocator is, which ends the process where there
/// is none (C API R20).
public enum Room {
  /// Less than this is not asked for: it comes out of what the allocator has in hand.
  public static let small = 1 << 16
  /// The most bytes that a value of a caller may have: 1 GiB.
  public static let limit = 1 << 30
  /// What is left for small things.
  private static let reserve = 4 << 20

  /// Whether so many bytes can be had now.
  public static func has(_ bytes: Int) -> Bool {
    if bytes < small { return true }
    let (size, overflow) = bytes.addingReportingOverflow(reserve)
    if overflow { return false }
    // What is mapped and never touched costs a system call, and no memory.
    guard
      let place = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      place != MAP_FAILED
    else { return false }
    munmap(place, size)
    return true
  }

  /// Throws ENOMEM where so many bytes cannot be had now, so many times.
  public static func check(
    _ bytes: Int, timesFor times: Int, at place: String
  ) throws(SystemError) {
    let (need, overflow) = bytes.multipliedReportingOverflow(by: times)
    if overflow || !has(need) { throw SystemError(ENOMEM, at: place) }
  }
}

extension SystemError {
  /// There is no memory for what was asked.
  public static let noMemory = SystemError(ENOMEM, at: "memory")
}
