import Glibc
public import Ground

/// Lines read from a descriptor on a thread of its own, which lives while the link is open.
public struct DescriptorLink: LineLink {
  /// Makes the connection, giving up when the wake descriptor becomes readable.
  typealias Dial = @Sendable (_ wake: WakeDescriptor) throws(SystemError) -> any LineChannel

  private let name: String
  private let manner: LineManner
  private let dial: Dial

  /// Makes a link with a thread name of at most 15 bytes.
  init(named name: String, _ manner: LineManner = LineManner(), dial: @escaping Dial) {
    self.name = name
    self.manner = manner
    self.dial = dial
  }

  /// Connects, again and again, until cancelled.
  public func open(
    _ receive: @escaping @Sendable (LineEvent) -> LineResponse
  ) -> any LineConnection {
    let connection = DescriptorConnection(manner, dial: dial, receive: receive)
    connection.start(named: name)
    return connection
  }
}

/// A descriptor to read lines from; its settings are restored when the channel is freed.
protocol LineChannel {
  var descriptor: Descriptor { get }
}

extension Descriptor: LineChannel {
  var descriptor: Descriptor { self }
}

/// How a link speaks.
struct LineManner: Sendable {
  /// The length in bytes of the longest line that is taken.
  var longestLine = 16_384
  /// The last words of a connection that its owner ends.
  var farewell = ""
}

/// One opening of a link: its thread, and the way to end it.
private final class DescriptorConnection: LineConnection {
  private struct State {
    var isCancelled = false
    /// Whether a connection is there, so that a call is heard.
    var isServing = false
  }

  private let manner: LineManner
  private let dial: DescriptorLink.Dial
  private let receive: @Sendable (LineEvent) -> LineResponse
  private let state = Monitor(State())
  private let wake: WakeDescriptor?
  private let fork = ForkGuard()

  init(
    _ manner: LineManner, dial: @escaping DescriptorLink.Dial,
    receive: @escaping @Sendable (LineEvent) -> LineResponse
  ) {
    self.manner = manner
    self.dial = dial
    self.receive = receive
    wake = try? WakeDescriptor()
  }

  func start(named name: String) {
    guard let wake else { return refuse(SystemError(EMFILE, at: name)) }
    do {
      let thread = try WorkerThread(named: name) { [self] in run(wake) }
      thread.detach()
    } catch {
      refuse(error)
    }
  }

  func cancel() {
    // The descriptor to wake by is the parent's, too.
    if fork.isForked { return }
    state.withLock { $0.isCancelled = true }
    wake?.signal()
  }

  func call() {
    if fork.isForked { return }
    // Signalled inside the lock: outside of a connection the wake means the end.
    state.withLock { state in
      if state.isServing { wake?.signal() }
    }
  }

  /// Without a thread no data arrives; the error is passed to `receive` on another thread.
  private func refuse(_ error: SystemError) {
    _ = receive(.closed(error))
  }

  private func run(_ wake: WakeDescriptor) {
    var delays = RetryDelays()
    while !isOver {
      let reason: SystemError
      do throws(SystemError) {
        let channel = try dial(wake)
        state.withLock { $0.isServing = true }
        reason = serve(channel.descriptor, wake) { delays = RetryDelays() }
        leave(channel.descriptor, wake)
      } catch {
        reason = error
      }
      if isOver { return }
      _ = receive(.closed(reason))
      _ = Self.wait(for: nil, or: wake, until: Monitor<Void>.moment(after: delays.next()))
    }
  }

  private var isOver: Bool { state.withLock { $0.isCancelled } }

  /// Ends a connection: no call is heard any more, and none is left over.
  private func leave(_ descriptor: Descriptor, _ wake: WakeDescriptor) {
    let isOver = state.withLock { state in
      state.isServing = false
      if !state.isCancelled { wake.drain() }
      return state.isCancelled
    }
    if isOver && !manner.farewell.isEmpty {
      _ = Self.send(Array(manner.farewell.utf8), descriptor)
    }
  }

  /// Reads until the connection ends; why it did.
  private func serve(
    _ descriptor: Descriptor, _ wake: WakeDescriptor, whenGood: () -> Void
  ) -> SystemError {
    var splitter = LineSplitter(limit: manner.longestLine)
    var bytes = [UInt8](repeating: 0, count: 4096)
    var events: [LineEvent] = [.opened]
    // Bytes that end no line do not put it off.
    var deadline: Int64?
    while true {
      for event in events {
        if isOver { return SystemError(ECANCELED, at: "") }
        let answer = receive(event)
        if answer.isGood { whenGood() }
        if let code = answer.hangUp { return SystemError(code, at: "") }
        if !answer.send.isEmpty, let failure = Self.send(answer.send, descriptor) { return failure }
        deadline = answer.patience.map { Monitor<Void>.moment(after: $0) }
      }
      events = []
      switch Self.wait(for: descriptor, or: wake, until: deadline) {
      case .woken:
        wake.drain()
        if isOver { return SystemError(ECANCELED, at: "") }
        events = [.called]
      case .silence: events = [.silence]
      case .ready:
        let count = read(descriptor.number, &bytes, bytes.count)
        if count == 0 { return SystemError(ENOTCONN, at: "") }
        if count < 0 {
          if errno == EAGAIN || errno == EINTR { continue }
          return SystemError(errno, at: "")
        }
        events = splitter.lines(in: bytes[..<count]).map(LineEvent.line)
      }
    }
  }

  /// A few words go out at once or not at all: a peer that does not read holds up no thread.
  private static func send(_ bytes: [UInt8], _ descriptor: Descriptor) -> SystemError? {
    let count = Glibc.send(descriptor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    if count == bytes.count { return nil }
    return SystemError(count < 0 ? errno : ENOBUFS, at: "")
  }
}

extension DescriptorConnection {
  enum Wake {
    case woken, silence, ready
  }

  /// Sleeps until there is something to read, the owner calls or cancels, or a moment has come.
  static func wait(
    for descriptor: Descriptor?, or wake: WakeDescriptor, until end: Int64?
  ) -> Wake {
    var asked = [
      pollfd(fd: wake.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor?.number ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let rest = end.map { max(0, $0 - Monitor<Void>.moment(after: 0)) }
      let milliseconds = rest.map { Int32(clamping: ($0 + 999_999) / 1_000_000) } ?? -1
      let count = poll(&asked, 2, milliseconds)
      if asked[0].revents != 0 { return .woken }
      if count > 0 && asked[1].revents != 0 { return .ready }
      if let end, Monitor<Void>.moment(after: 0) >= end { return .silence }
    }
  }
}
