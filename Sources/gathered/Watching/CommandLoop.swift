import Gathering
import Glibc
import Ground

/// The loop of a command that runs until a signal ends it; its context is in host mode.
struct CommandLoop {
  let context: Context
  let signals: SignalInbox
  /// The descriptor that is readable while keys are pending.
  var keys: Int32?

  /// The present of the context, on CLOCK_BOOTTIME.
  var now: Int64 { context.now.boot }

  /// Whether a replay is at its end; its last rows may not have been delivered yet.
  var hasPlayedAll: Bool {
    guard let duration = context.duration, let position = context.position else { return false }
    return position >= duration
  }

  /// Waits for an event and handles it: callbacks run here.
  ///
  /// Returns at `end` at the latest, and after `limit` nanoseconds if the clock runs by itself; a
  /// manual clock advances by `step`. Returns the signals received. Throws `ReaderWentAway`.
  func wait(until end: Int64?, within limit: Int64? = nil, step: Int64) throws -> [Int32] {
    // The clock of a replay runs by itself.
    if let position = context.position, context.rate == nil {
      try context.seek(to: min(position + step, end.map { $0 - now + position } ?? .max))
      return signals.takeAll()
    }
    // Only its clock shows the end of a replay.
    let longest: Int64 = context.rate == nil ? 60_000_000_000 : 100_000_000
    let spans = [end.map { max($0 - now, 0) }, limit, longest].compactMap(\.self)
    // Rounded up, lest the last millisecond be spent going round.
    let timeout = (spans.min() ?? 0) / 1_000_000 + 1
    var waiting = [
      pollfd(fd: signals.wake.number, events: Int16(POLLIN), revents: 0),
      pollfd(fd: context.descriptor, events: Int16(POLLIN), revents: 0),
      // With no events requested poll still reports that the pipe was closed.
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
