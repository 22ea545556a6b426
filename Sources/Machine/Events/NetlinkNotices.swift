import CLinux

/// Hears of changes of network links and addresses through an rtnetlink socket.
///
/// What a message says is left aside: who wants to know reads the present state. Lost messages
/// (ENOBUFS) are a change as well.
final class NetlinkNotices: Cancellable {
  private let socket: Descriptor
  private let watch: any Cancellable

  init(on loop: any Loop, _ changed: @escaping @Sendable () -> Void) throws(SystemError) {
    let socket = try Descriptor(answer: clinux_network_notices_open(), at: "rtnetlink")
    self.socket = socket
    watch = try loop.watch(descriptor: socket.number, events: CLINUX_READABLE) { _ in
      if clinux_network_notices_drain(socket.number) != 0 { changed() }
    }
  }

  func cancel() {
    watch.cancel()
  }
}
