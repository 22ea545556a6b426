import CLinux
import Ground

/// The one libudev monitor of a loop, shared by all subsystems listened to.
final class UdevMonitor: Sendable {
  private struct Opened {
    let socket: UdevSocket
    let watch: any Cancellable
    var subsystems: Set<String>
  }

  private let opened = Monitor<Opened?>(nil, rank: .part)
  private let loop: any Loop
  private let received: @Sendable (ChangeNotice) -> Void

  /// A monitor that opens nothing before the first subsystem. `received` runs on the loop.
  init(on loop: any Loop, _ received: @escaping @Sendable (ChangeNotice) -> Void) {
    self.loop = loop
    self.received = received
  }

  /// Begins to listen to a subsystem. Throws ELIBACC without libudev.
  func add(_ subsystem: String) throws(SystemError) {
    try opened.withLock { opened throws(SystemError) in
      if let known = opened {
        try known.socket.listen(to: known.subsystems.union([subsystem]))
        opened?.subsystems.insert(subsystem)
      } else {
        opened = try open(for: subsystem)
      }
    }
  }

  /// Ends listening to a subsystem; the last one closes the monitor.
  func remove(_ subsystem: String) {
    let ended = opened.withLock { opened -> Opened? in
      opened?.subsystems.remove(subsystem)
      guard let rest = opened else { return nil }
      if rest.subsystems.isEmpty {
        opened = nil
        return rest
      }
      // Should the kernel refuse a narrower filter, notices without use find no subscriber.
      try? rest.socket.listen(to: rest.subsystems)
      return nil
    }
    ended?.watch.cancel()
  }

  private func open(for subsystem: String) throws(SystemError) -> Opened {
    let socket = try UdevSocket()
    try socket.listen(to: [subsystem])
    try socket.enable()
    let watch = try loop.watch(descriptor: socket.number, events: CLINUX_READABLE) {
      [weak self] _ in self?.drain()
    }
    return Opened(socket: socket, watch: watch, subsystems: [subsystem])
  }

  private func drain() {
    guard let (socket, subsystems) = opened.withLock({ $0.map { ($0.socket, $0.subsystems) } })
    else { return }
    while true {
      switch socket.receive() {
      case .nothing: return
      case .notice(let notice): received(notice)
      case .lost:
        // Which ones is unknown: all look again.
        for name in subsystems.sorted() { received(ChangeNotice(topic: .devices(subsystem: name))) }
      }
    }
  }
}
