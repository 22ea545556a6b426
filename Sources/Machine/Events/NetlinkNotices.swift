import CLinux
import Ground

/// Reports changes of network links and addresses, received by an rtnetlink socket.
///
/// The content of messages is ignored: subscribers read the present state. Lost messages (ENOBUFS)
/// count as a change. The kernel announces the removal of a link before sysfs removes it, so a
/// second notice follows a little later.
final class NetlinkNotices: Cancellable {
  private let socket: Descriptor
  private let watch: any Cancellable
  private let echoes: Monitor<[any Cancellable]>

  private static let delays: [Int64] = [100_000_000, 1_000_000_000]

  init(on loop: any Loop, _ changed: @escaping @Sendable () -> Void) throws(SystemError) {
    let socket = try Descriptor(answer: clinux_network_notices_open(), at: "rtnetlink")
    self.socket = socket
    let echoes = Monitor<[any Cancellable]>([])
    self.echoes = echoes
    watch = try loop.watch(descriptor: socket.number, events: CLINUX_READABLE) { _ in
      let found = clinux_network_notices_drain(socket.number)
      guard found != CLINUX_NETWORK_QUIET else { return }
      changed()
      guard found == CLINUX_NETWORK_LINK_GOING else { return }
      let now = loop.now
      let later = Self.delays.map { loop.schedule(at: now + .nanoseconds($0), changed) }
      let earlier = echoes.withLock { kept in
        defer { kept = later }
        return kept
      }
      for echo in earlier { echo.cancel() }
    }
  }

  func cancel() {
    watch.cancel()
    for echo in echoes.withLock({ $0 }) { echo.cancel() }
  }
}
