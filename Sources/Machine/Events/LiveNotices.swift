import Glibc
import Ground

/// Announcements of this computer's kernel: one system resource for each topic and loop.
final class LiveNotices: ChangeNotices {
  private let exchanges = Monitor<[NoticeExchange]>([])
  private let services: [String: ServiceAccess]

  /// Notices of this computer, and of daemons by name.
  init(services: [String: ServiceAccess] = [:]) {
    self.services = services
  }

  func subscribe(
    to topic: ChangeTopic, on loop: any Loop, _ notify: @escaping @Sendable (ChangeNotice) -> Void
  ) throws(SystemError) -> any Cancellable {
    let exchange = exchanges.withLock { exchanges in
      // A context has one loop, so this is a list of one.
      if let known = exchanges.first(where: { $0.serves(loop) }) { return known }
      let new = NoticeExchange(loop: loop, services: services)
      exchanges.append(new)
      return new
    }
    return try exchange.subscribe(to: topic, notify)
  }

  func send(_ notice: ChangeNotice) {
    for exchange in exchanges.withLock({ $0 }) { exchange.submit(notice) }
  }
}

/// Hands the notices of each topic to its subscribers, on one loop.
private final class NoticeExchange: Sendable {
  private struct Topic {
    let resource: any Cancellable
    var subscribers: [(id: UInt64, notify: @Sendable (ChangeNotice) -> Void)]
  }

  private struct State {
    var topics: [ChangeTopic: Topic] = [:]
    var nextID: UInt64 = 0
    var udev: UdevMonitor?
    var inotify: FileMonitor?
  }

  private let loop: any Loop
  private let services: [String: ServiceAccess]
  private let state = Monitor(State(), rank: .device)

  init(loop: any Loop, services: [String: ServiceAccess]) {
    self.loop = loop
    self.services = services
  }

  func serves(_ other: any Loop) -> Bool {
    (loop as AnyObject) === (other as AnyObject)
  }

  func subscribe(
    to topic: ChangeTopic, _ notify: @escaping @Sendable (ChangeNotice) -> Void
  ) throws(SystemError) -> any Cancellable {
    let id = try state.withLock { state throws(SystemError) -> UInt64 in
      // Opened inside the lock, so that two first subscribers share one resource.
      if state.topics[topic] == nil {
        state.topics[topic] = Topic(resource: try open(topic, &state), subscribers: [])
      }
      let id = state.nextID
      state.nextID += 1
      state.topics[topic]?.subscribers.append((id, notify))
      return id
    }
    return Subscription(exchange: self, topic: topic, id: id)
  }

  private func open(_ topic: ChangeTopic, _ state: inout State) throws(SystemError)
    -> any Cancellable
  {
    let changed: @Sendable () -> Void = { [weak self] in self?.deliver(ChangeNotice(topic: topic)) }
    switch topic {
    case .mounts: return try PollNotices("/proc/self/mountinfo", on: loop, changed)
    case .attribute(let path): return try PollNotices(path, on: loop, changed)
    case .file(let path): return try monitor(&state).watch(path, UInt32(IN_MODIFY), changed)
    case .use(let path):
      let events = IN_OPEN | IN_CLOSE_WRITE | IN_CLOSE_NOWRITE
      return try monitor(&state).watch(path, UInt32(events), changed)
    case .folders(let path):
      return try FolderNotices(below: path, by: monitor(&state), on: loop, changed)
    case .network: return try NetlinkNotices(on: loop, changed)
    case .radio: return try RadioNotices(on: loop, changed)
    case .switches(let path):
      return try SwitchNotices(path, on: loop) { [weak self] moment in
        self?.deliver(ChangeNotice(topic: topic, bootTime: moment))
      }
    // The bus announces this itself, see `MessageBus`.
    case .bus(let service): throw SystemError(EOPNOTSUPP, at: service.name)
    case .devices(let subsystem):
      let udev = state.udev ?? UdevMonitor(on: loop) { [weak self] in self?.deliver($0) }
      state.udev = udev
      try udev.add(subsystem)
      return UdevSubsystem(udev: udev, subsystem: subsystem)
    case .service(let name):
      guard let service = services[name] else { return Unwatched() }
      return ServiceNotices(of: service, on: loop, changed)
    case .report:
      return Unwatched()
    }
  }

  /// The one user of inotify(7) of the loop.
  private func monitor(_ state: inout State) -> FileMonitor {
    let monitor = state.inotify ?? FileMonitor(on: loop)
    state.inotify = monitor
    return monitor
  }

  /// Sends a notice that did not originate here.
  func submit(_ notice: ChangeNotice) {
    loop.submit { [weak self] in self?.deliver(notice) }
  }

  private func deliver(_ notice: ChangeNotice) {
    let ids = state.withLock { $0.topics[notice.topic]?.subscribers.map(\.id) ?? [] }
    for id in ids {
      // Looked up one by one: an earlier subscriber may have ended a later one.
      let subscriber = state.withLock { state in
        state.topics[notice.topic]?.subscribers.first { $0.id == id }
      }
      subscriber?.notify(notice)
    }
  }

  func end(_ id: UInt64, of topic: ChangeTopic) {
    // Ended resources are moved out of the lock before they are released.
    _ = state.withLock { state -> Topic? in
      let before = state.topics[topic]
      state.topics[topic]?.subscribers.removeAll { $0.id == id }
      if state.topics[topic]?.subscribers.isEmpty == true {
        state.topics[topic] = nil
        before?.resource.cancel()
      }
      return before
    }
  }
}

private struct Subscription: Cancellable {
  let exchange: NoticeExchange
  let topic: ChangeTopic
  let id: UInt64

  func cancel() {
    exchange.end(id, of: topic)
  }
}

/// The watch of a topic whose notices come by `send` alone; it uses no system resource.
private struct Unwatched: Cancellable {
  func cancel() {}
}

private struct UdevSubsystem: Cancellable {
  let udev: UdevMonitor
  let subsystem: String

  func cancel() {
    udev.remove(subsystem)
  }
}
