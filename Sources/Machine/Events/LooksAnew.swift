/// Something of a machine that remembers for a while what came to nothing, so that it is not tried
/// again and again by itself.
///
/// A caller that asks wants to know what is so now: a remedy that was followed is not to wait for
/// what is remembered (sources A4).
public protocol LooksAnew: Sendable {
  /// Forgets what was refused, and tries what is being retried at once, as far as topics are
  /// concerned. Takes no longer than a reading.
  func lookAnew(at topics: [ChangeTopic])
}

extension SystemBus: LooksAnew {
  /// A bus that could not be reached is tried again at once, and a service that hung is waited for
  /// again.
  public func lookAnew(at topics: [ChangeTopic]) {
    lookAnew(at: topics.compactMap { if case .bus(let service) = $0 { service } else { nil } })
  }
}
