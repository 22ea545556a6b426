import Gathering
import Ground

/// One iteration over the frames of a reader.
final class FrameIteration: Sendable {
  private let reader: Reader
  private let arrivals = Arrivals()
  /// The listeners that signal arrivals, from the first `next` to the end.
  private let tokens = Lock<[ListenerToken]?>(nil)

  init(of reader: Reader) { self.reader = reader }

  func next(isolation actor: isolated (any Actor)? = #isolation) async -> Frame? {
    listen()
    do throws(SourceError) {
      while !Task.isCancelled && !arrivals.hasEnded {
        if let frame = try reader.nextFrame() { return frame }
        guard await arrivals.wait() else { break }
      }
    } catch {
      // The context was closed, which ends the iteration.
    }
    end()
    return nil
  }

  /// Listens to the sources, once. Rows are in the reader before a listener is called. Rows whose
  /// update a stop left undelivered are signalled by the event of that stop.
  private func listen() {
    if Task.isCancelled || tokens.withLock({ $0 != nil }) { return }
    let arrivals = arrivals
    keep(
      reader.sources.flatMap { source in
        [
          source.addUpdateListener(onEnd: { arrivals.end() }) { _ in arrivals.signal() },
          source.addEventListener { _ in arrivals.signal() },
        ]
      })
    // The close ends only listeners added before it.
    if reader.context.isClosed { arrivals.end() }
  }

  private func end() {
    arrivals.end()
    keep([])
  }

  private func keep(_ new: [ListenerToken]) {
    let former = tokens.withLock { tokens in
      defer { tokens = new }
      return tokens
    }
    withExtendedLifetime(former) {}
  }
}
