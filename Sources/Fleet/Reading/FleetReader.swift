import Gathering
import Ground

/// Reads one source of another machine: its newest state, and all that comes from it.
final class FleetReader: StreamingReader {
  private let key: FleetKey
  private let table: [Property]
  private let link: FleetLink

  /// What has come of it: a stream goes on behind the states that were read.
  private var history = RowsHistory()

  /// Every session gets what comes.
  let streamsBelow = Int64.max
  /// The first state may take a moment to come.
  let mayBlock = true

  init(_ key: FleetKey, table: [Property], link: FleetLink) {
    self.key = key
    self.table = table
    self.link = link
    // It may have been read before, and be away.
    if let former = link.history(of: key) { history = former }
  }

  func read(_ request: ReadRequest, into reading: inout Reading) {
    guard let (state, shift) = link.newest(of: key) else {
      reading.finished = []
      let outcome = Outcome.noData("\(key.device) has told no value of it so far")
      for index in reading.indices { reading[index] = outcome }
      return
    }
    let own = state.time.boot
    history.place.withLock {
      $0.noteRead(at: max(1, own &+ shift), told: own, sampledAt: [own], in: state.session)
    }
    reading.finished = state.samples(for: table).map { $0.shifted(by: shift) }
  }

  func raw(ofPropertyAt index: Int) -> RawValue? { nil }

  func openStream(
    every interval: Int64, on loop: any Loop,
    deliver: @escaping @Sendable (SampleBlock) -> Void,
    ended: @escaping @Sendable (SourceError?) -> Void
  ) throws(SourceError) -> any SampleStream {
    let stream = FleetStream(key, table: table, history: history, link: link, deliver: deliver)
    link.add(stream)
    return stream
  }
}
