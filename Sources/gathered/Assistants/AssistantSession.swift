import Gathering
import Glibc
import Ground
import Values

/// A session of the Model Context Protocol over standard input and output: a JSON-RPC message a
/// line, answered in the order in which the answers are there.
struct AssistantSession {
  private let signals: SignalInbox
  private var conversation: Conversation
  private var lines = MessageLines()
  private var hasInput = true
  /// When it is over whatever still runs, on CLOCK_BOOTTIME: a signal has come.
  private var deadline: Int64?

  /// How long calls may take to end after a signal, in nanoseconds.
  private static let patience: Int64 = 2_000_000_000
  /// No more is read while so many bytes of answers wait.
  private static let outputLimit = 1 << 20

  init(_ grant: AssistantGrant, signals: SignalInbox) throws {
    self.signals = signals
    conversation = try Conversation(grant)
  }

  /// Answers until the input ends and all is answered, the client goes away or a signal comes.
  mutating func run() throws {
    while true {
      conversation.takeEnded()
      if let deadline {
        if conversation.isIdle || Self.now >= deadline { return }
      } else if !hasInput, conversation.isIdle, conversation.output.isEmpty {
        return
      }
      try wait()
    }
  }

  private mutating func wait() throws {
    let isReading = hasInput && conversation.output.count < Self.outputLimit
    let isWriting = deadline == nil && !conversation.output.isEmpty
    var waiting = [
      pollfd(fd: signals.wake.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: conversation.calls.wake.number, events: Int16(POLLIN), revents: 0),
      // A number below 0 is passed over.
      pollfd(fd: isReading ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
      // With no events requested poll still reports that the pipe was closed.
      pollfd(fd: STDOUT_FILENO, events: isWriting ? Int16(POLLOUT) : 0, revents: 0),
    ]
    let timeout = deadline.map { max($0 - Self.now, 0) / 1_000_000 + 1 } ?? -1
    guard poll(&waiting, nfds_t(waiting.count), Int32(clamping: timeout)) > 0 else { return }
    if waiting[0].revents != 0, !signals.takeAll().isEmpty, deadline == nil { end() }
    if waiting[3].revents & Int16(POLLERR | POLLHUP) != 0 { throw ReaderWentAway() }
    if waiting[3].revents & Int16(POLLOUT) != 0 { try conversation.output.writePiece() }
    if waiting[2].revents != 0 { readSome() }
  }

  /// A signal has come: nothing more is read or written.
  private mutating func end() {
    deadline = Self.now + Self.patience
    hasInput = false
    conversation.calls.endAll()
  }

  private mutating func readSome() {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(STDIN_FILENO, &chunk, chunk.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    var whole = lines.add(chunk.prefix(max(count, 0)))
    if count <= 0 {
      hasInput = false
      if let last = lines.finish() { whole.append(last) }
    }
    for line in whole { conversation.take(line) }
    if !hasInput { conversation.calls.endAll() }
  }

  private static var now: Int64 { LiveTime().now.boot }
}
