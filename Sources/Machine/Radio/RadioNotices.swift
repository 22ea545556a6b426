import CLinux
import Glibc
import Ground

/// Reports changes of wireless links, received by nl80211's multicast groups.
///
/// The content of messages is ignored: subscribers read the present state. Lost messages (ENOBUFS)
/// count as a change.
final class RadioNotices: Cancellable {
  private let socket: Descriptor
  private let watch: any Cancellable

  /// Throws ELIBACC without libnl, EOPNOTSUPP where the kernel has no nl80211.
  init(on loop: any Loop, _ changed: @escaping @Sendable () -> Void) throws(SystemError) {
    let socket = try Self.open()
    self.socket = socket
    watch = try loop.watch(descriptor: socket.number, events: CLINUX_READABLE) { _ in
      if clinux_network_notices_drain(socket.number) != 0 { changed() }
    }
  }

  func cancel() {
    watch.cancel()
  }

  /// A descriptor of our own for the socket that libnl set up, which any thread may drain.
  private static func open() throws(SystemError) -> Descriptor {
    let copy: Int32
    do throws(NetlinkError) {
      let netlink = try GenericNetlink(family: LiveRadio.family)
      for group in ["mlme", "config", "scan", "regulatory"] {
        try netlink.join(group, of: LiveRadio.family)
      }
      netlink.setNonblocking()
      copy = fcntl(netlink.descriptor, F_DUPFD_CLOEXEC, 0)
    } catch {
      throw error.systemError
    }
    return try Descriptor(answer: copy < 0 ? -errno : copy, at: LiveRadio.family)
  }
}

extension NetlinkError {
  /// The same as a number: ELIBACC for the library, EOPNOTSUPP for the family, EIO for codes that
  /// are libnl's own.
  var systemError: SystemError {
    switch self {
    case .missingLibrary(let missing): missing.systemError
    case .noFamily: SystemError(EOPNOTSUPP, at: LiveRadio.family)
    case .refused(let refusal): refusal
    case .failed(_, let text): SystemError(EIO, at: text)
    }
  }
}
