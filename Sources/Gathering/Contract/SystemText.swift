import Glibc

/// The errno values that laws name, and the C library's words for all of them.
public enum SystemText {
  /// No such file.
  public static let noEntry = ENOENT
  /// The process has ended.
  public static let noProcess = ESRCH
  /// The kernel lacks the call.
  public static let noSystemCall = ENOSYS
  /// The thing cannot do this.
  public static let notSupported = EOPNOTSUPP
  /// The file mode refuses.
  public static let accessDenied = EACCES
  /// Not permitted.
  public static let notPermitted = EPERM
  /// The file system, or the tree, is not to be written.
  public static let readOnly = EROFS
  /// The device is gone.
  public static let noDevice = ENODEV
  /// No such device or address.
  public static let noDeviceOrAddress = ENXIO
  /// No data at the moment.
  public static let noDataAvailable = ENODATA
  /// Not at the moment.
  public static let tryAgain = EAGAIN
  /// The file is there already.
  public static let fileExists = EEXIST
  /// In use elsewhere.
  public static let busy = EBUSY
  /// The device or its bus failed.
  public static let io = EIO
  /// The time was up.
  public static let timedOut = ETIMEDOUT
  /// A folder where a file was expected.
  public static let isDirectory = EISDIR
  /// The other side has closed the connection, or never made it.
  public static let notConnected = ENOTCONN
  /// The other side uses another protocol.
  public static let unknownProtocol = EPROTONOSUPPORT
  /// A shared library cannot be used.
  public static let noLibrary = ELIBACC
  /// An argument the kernel refuses.
  public static let invalid = EINVAL

  /// Another computer, or its daemon, does not answer.
  public static let unreachable: Set = [
    ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ENETDOWN, ETIMEDOUT, ENOTCONN, ECONNRESET,
    ECONNABORTED, ESHUTDOWN, EPIPE,
  ]

  /// strerror(3) without regard to locale: the GNU text of an errno.
  public static func message(of errno: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    guard strerror_r(errno, &buffer, buffer.count) == 0 else { return "errno \(errno)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
