/// A message of rows that came while its source had no stream.
struct DeferredRows: Sendable {
  let payload: [UInt8]
  let isLate: Bool
  let isRetained: Bool

  var decoded: ReceivedRows {
    get throws(MessageFault) {
      let outcome: Result<ReceivedRows, MessageFault> = payload.withUnsafeBytes { payload in
        Result { () throws(MessageFault) in try ReceivedRows(payload) }
      }
      return try outcome.get()
    }
  }
}

/// Sources whose streams have ended with their machine or the broker, and begin again with those:
/// what is sent in between is not lost.
extension FleetState {
  /// How long a stream is expected once all is back, in nanoseconds.
  private static let patience: Int64 = 10_000_000_000
  /// How much is kept of a source, in bytes.
  private static let deferredLimit = 16 << 20

  /// When a machine counts as back for good; nil while it is away.
  func steadiness(of name: String) -> Int64? {
    guard isConnected, let device = devices[name], device.isOnline else { return nil }
    return max(connectedAt, device.returnedAt) + Self.patience
  }

  /// Whether a stream that ends is likely to begin again.
  func isUnsteady(_ name: String, at now: Int64) -> Bool {
    steadiness(of: name).map { now < $0 } ?? true
  }

  /// Gives up the sources whose machines are back and which nothing wants any more.
  mutating func endLingering(at now: Int64) {
    for (key, known) in held where known.lingers && !isUnsteady(key.device, at: now) {
      var rest = known
      (rest.lingers, rest.deferred, rest.deferredBytes) = (false, [], 0)
      rest.history = nil
      ends += known.whats.filter { !rest.whats.contains($0) }.map { .topic(key.topic($0)) }
      held[key] = rest.isWanted ? rest : nil
    }
  }

  /// Keeps a message that no stream can take yet; false if one can. Of too many the oldest go.
  mutating func `defer`(_ rows: DeferredRows, of key: FleetKey) -> Bool {
    guard let known = held[key], known.lingers || !known.deferred.isEmpty else { return false }
    keep(rows, of: key)
    return true
  }

  /// Keeps a message that a stream did not take: it is just being opened, or another follows.
  mutating func `defer`(_ rows: DeferredRows, of key: FleetKey, at now: Int64) {
    keep(rows, of: key)
    retryAt = now + 20_000_000
  }

  private mutating func keep(_ rows: DeferredRows, of key: FleetKey) {
    guard var known = held[key] else { return }
    known.deferred.append(rows)
    known.deferredBytes += rows.payload.count
    while known.deferredBytes > Self.deferredLimit, known.deferred.count > 1 {
      known.deferredBytes -= known.deferred.removeFirst().payload.count
    }
    held[key] = known
  }

  /// Takes the messages whose streams have begun.
  mutating func takeDeferred(at now: Int64) -> [(key: FleetKey, rows: [DeferredRows])] {
    var taken: [(key: FleetKey, rows: [DeferredRows])] = []
    if let retryAt, now < retryAt { return [] }
    retryAt = nil
    for (key, known) in held where !known.streams.isEmpty && !known.deferred.isEmpty {
      taken.append((key, known.deferred))
      held[key]?.deferred = []
      held[key]?.deferredBytes = 0
    }
    return taken
  }
}
