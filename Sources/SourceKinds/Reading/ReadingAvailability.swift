import Gathering
import Ground

extension Availability {
  /// Why a kind cannot be read when the table of `/proc` it needs does not open.
  static func whenTableFails(_ error: SystemError, backend: String) -> Availability {
    let detail = "\(error.place): \(SystemText.message(of: error.code))"
    switch error.code {
    case SystemText.noEntry:
      return Availability(
        .unsupportedByKernel, backend: backend, detail: detail, errno: error.code,
        remedy: "mount the proc file system at /proc")
    case SystemText.accessDenied, SystemText.notPermitted:
      return Availability(
        .permissionDenied, backend: backend, detail: detail, errno: error.code,
        remedy: "give this user read access to \(error.place)")
    default:
      return Availability(
        .failed, backend: backend, detail: detail, errno: error.code,
        remedy: "find out why \(error.place) cannot be read")
    }
  }

  /// There is no device of a class on the machine.
  static func noDevices(in folder: String) -> Availability {
    Availability(.noHardware, backend: "sysfs", detail: "no device of this kind in \(folder)")
  }
}
