import Ground

/// The streams that there are: not more than a number at once (serve W16).
final class StreamPlaces: Sendable {
  private let held = Lock<[ObjectIdentifier: any LiveAnswer]>([:])

  /// How many streams there are.
  var count: Int { all.count }

  /// The streams that there are.
  var all: [any LiveAnswer] { held.withLock { Array($0.values) } }

  /// Gives a stream a place until it leaves. Throws the refusal where there is none.
  func enter(_ stream: any LiveAnswer) throws(Refusal) {
    let isIn = held.withLock { held in
      if held.count >= Limits.streams { return false }
      held[ObjectIdentifier(stream)] = stream
      return true
    }
    if isIn { return }
    throw Refusal(
      .limit, "there are \(Limits.streams) streams already",
      remedy: "close another page", fields: [HeaderField("Retry-After", "5")])
  }

  func leave(_ stream: any LiveAnswer) {
    _ = held.withLock { $0.removeValue(forKey: ObjectIdentifier(stream)) }
  }

  func endAll(because reason: String) {
    for stream in all { stream.end(because: reason) }
  }
}
