import Gathering
import Glibc
import Ground

/// The loop of a command that runs until it is told to end: its context is in host mode.
struct CommandLoop {
  let context: Context
  let signals: SignalInbox
  /// What is readable while keys wait to be obeyed.
  var keys: Int32?

  /// The present of the context, on CLOCK_BOOTTIME.
  var now: Int64 { context.now.boot }

  /// Whether a replay has come to its end; what it brought last may not have been delivered yet.
  var hasPlayedAll: Bool {
    guard let duration = context.duration, let position = context.position else { return false }
    return position >= duration
  }

  /// Waits for something to happen, and lets it: callbacks run here.
  ///
  /// It returns at `end` at the latest, and after `limit` nanoseconds if the clock runs by
  /// itself; a manual clock goes on by `step`. The answer are the signals that came. Throws
  /// `ReaderWentAway`.
  func wait(until end: Int64?, within limit: Int64? = nil, step: Int64) throws -> [Int32] {
    // The clock of a replay runs by itself.
    if let position = context.position, context.rate == nil {
      try context.seek(to: min(position + step, end.map { $0 - now + position } ?? .max))
      return signals.takeAll()
    }
    // Nothing tells of the end of a replay but its clock.
    let longest: Int64 = context.rate == nil ? 60_000_000_000 : 100_000_000
    let spans = [end.map { max($0 - now, 0) }, limit, longest].compactMap(\.self)
    // Rounded up, lest the last millisecond be spent going round.
    let timeout = (spans.min() ?? 0) / 1_000_000 + 1
    var waiting = [
      pollfd(fd: signals.wake.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: context.descriptor, events: Int16(POLLIN), revents: 0),
      // Asked for nothing, a pipe still tells that its reader went away.
      pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
      // A number below 0 is passed over.
      pollfd(fd: keys ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&waiting, nfds_t(waiting.count), Int32(clamping: timeout)) > 0 else { return [] }
    if waiting[2].revents & Int16(POLLERR | POLLHUP) != 0 { throw ReaderWentAway() }
    let taken = waiting[0].revents != 0 ? signals.takeAll() : []
    if waiting[1].revents != 0 { _ = try context.dispatch(timeout: 0) }
    return taken
  }
}
