public import CGatheredKit
import CLinux
import Gathering

/// The version as one number.
@_cdecl("gkit_version") @implementation public func gkit_version() -> UInt32 {
  Version.major << 16 | Version.minor << 8 | Version.patch
}

/// The version as text.
@_cdecl("gkit_version_string") @implementation public func gkit_version_string()
  -> UnsafePointer<CChar>?
{
  Interned.text(Version.text)
}

/// Whether this build knows a mechanism.
@_cdecl("gkit_has_feature") @implementation public func gkit_has_feature(
  _ name: UnsafePointer<CChar>?
) -> Bool {
  name.flatMap(String.init(validatingCString:)).map(features.contains) ?? false
}

/// The mechanisms of this build.
private let features: Set<String> = [
  "alsa", "dbus", "iio", "ip", "local", "mqtt", "netlink", "replay", "secret", "sim", "sqlite",
  "udev",
]

/// The calling thread's last failure.
@_cdecl("gkit_last_error") @implementation public func gkit_last_error()
  -> UnsafePointer<gkit_error>?
{
  // The same layout, in the calling thread's own memory.
  UnsafeRawPointer(clinux_last_error())?.assumingMemoryBound(to: gkit_error.self)
}

/// The name of a status.
@_cdecl("gkit_status_name") @implementation public func gkit_status_name(
  _ status: gkit_status
) -> UnsafePointer<CChar>? {
  UnsafeRawPointer(Status.name(of: status).utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Puts a log handler in place of the one before.
@_cdecl("gkit_set_log_handler") @implementation public func gkit_set_log_handler(
  _ min_level: Int32, _ fn: gkit_log_fn?, _ user_data: UnsafeMutableRawPointer?,
  _ destroy: gkit_destroy_fn?
) {
  guard let fn else {
    HostLog.set(nil)
    destroy?(user_data)
    return
  }
  HostLog.set(LogHandler(level: min_level, function: fn, userData: user_data, destroy: destroy))
}
