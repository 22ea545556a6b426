import CLinux
import Glibc
import Ground

/// A libudev monitor on the messages udevd sends once its rules have run.
final class UdevSocket: @unchecked Sendable {
  enum Reception {
    case nothing
    case notice(ChangeNotice)
    /// The kernel's queue ran over.
    case lost
  }

  // Safe: libudev's objects may be used by one thread at a time, which `turn` sees to; the
  // pointers themselves never change.
  private let context: OpaquePointer
  private let monitor: OpaquePointer
  private let table: clinux_udev
  private let turn = Monitor(())

  /// Throws ELIBACC when libudev is missing, or the errno of its socket.
  init() throws(SystemError) {
    do throws(MissingLibrary) {
      table = try loadedTable.get()
    } catch {
      throw error.systemError
    }
    guard let context = table.new_context() else { throw SystemError(errno, at: "udev") }
    guard let monitor = table.monitor_new_from_netlink(context, "udev") else {
      let failure = errno
      _ = table.unref_context(context)
      throw SystemError(failure, at: "udev")
    }
    self.context = context
    self.monitor = monitor
  }

  deinit {
    _ = table.monitor_unref(monitor)
    _ = table.unref_context(context)
  }

  /// The number to poll for readability.
  var number: Int32 { table.monitor_get_fd(monitor) }

  func enable() throws(SystemError) {
    try check(turn.withLock { _ in table.monitor_enable_receiving(monitor) })
  }

  /// Sets the subsystems let through, in place of earlier ones.
  func listen(to subsystems: Set<String>) throws(SystemError) {
    try check(
      turn.withLock { _ in
        // Returns ENOENT if the socket had no filter yet, but has cleared its own list.
        _ = table.monitor_filter_remove(monitor)
        var answer: Int32 = 0
        for name in subsystems where answer >= 0 {
          answer = table.monitor_filter_add_subsystem(monitor, name, nil)
        }
        return answer < 0 ? answer : table.monitor_filter_update(monitor)
      })
  }

  /// Takes the next message.
  func receive() -> Reception {
    turn.withLock { _ in
      errno = 0
      guard let device = table.monitor_receive_device(monitor) else {
        return errno == ENOBUFS ? .lost : .nothing
      }
      defer { _ = table.device_unref(device) }
      return .notice(
        ChangeNotice(
          topic: .devices(subsystem: text(table.device_subsystem(device))),
          action: text(table.device_action(device)), devicePath: text(table.device_path(device))))
    }
  }

  private func text(_ characters: UnsafePointer<CChar>?) -> String {
    characters.map { String(cString: $0) } ?? ""
  }

  private func check(_ answer: Int32) throws(SystemError) {
    if answer < 0 { throw SystemError(-answer, at: "udev") }
  }
}

/// libudev's functions, looked up once a process.
private let loadedTable = LibraryTable { () throws(MissingLibrary) -> clinux_udev in
  let library = try SharedLibrary("libudev.so.1", package: "libudev1")
  var table = clinux_udev()
  if let symbol = clinux_udev_bind(&table, library.handle) {
    throw library.missing(String(cString: symbol))
  }
  return table
}
