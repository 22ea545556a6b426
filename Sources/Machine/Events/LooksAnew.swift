/// A part of a machine that remembers failures for a while, so that it does not retry continuously.
///
/// An explicit request has to get the present state: a remedy that was applied must take effect
/// without waiting for the memory to expire (sources A4).
public protocol LooksAnew: Sendable {
  /// Forgets remembered failures that concern these topics, and retries at once. Takes no longer
  /// than a reading.
  func lookAnew(at topics: [ChangeTopic])
}

extension SystemBus: LooksAnew {
  /// A bus that could not be reached is tried again at once, and a service that hung is waited for
  /// again.
  public func lookAnew(at topics: [ChangeTopic]) {
    lookAnew(at: topics.compactMap { if case .bus(let service) = $0 { service } else { nil } })
  }
}
