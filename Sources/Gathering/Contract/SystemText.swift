import Glibc

/// The errno values that laws name, and the C library's words for all of them.
public enum SystemText {
  public static let noEntry = ENOENT
  public static let noSystemCall = ENOSYS
  public static let notSupported = EOPNOTSUPP
  public static let accessDenied = EACCES
  public static let notPermitted = EPERM
  public static let noDevice = ENODEV
  public static let noDeviceOrAddress = ENXIO
  public static let noDataAvailable = ENODATA
  public static let tryAgain = EAGAIN
  public static let busy = EBUSY
  public static let timedOut = ETIMEDOUT
  public static let isDirectory = EISDIR
  public static let invalid = EINVAL

  /// strerror(3) without regard to locale: the GNU text of an errno.
  public static func message(of errno: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    guard strerror_r(errno, &buffer, buffer.count) == 0 else { return "errno \(errno)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
