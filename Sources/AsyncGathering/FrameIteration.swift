import Gathering
import Ground

/// One iteration over the frames of a reader.
final class FrameIteration: Sendable {
  private let reader: Reader
  private let arrivals = Arrivals()
  /// The listeners that tell of rows: from the first `next` to the end.
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

  /// Listens to the sources, if it does not yet. Rows lie in the reader before a listener is
  /// called. What a stop leaves undelivered its event tells of.
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
    // A listener that came too late for the close would never end.
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
