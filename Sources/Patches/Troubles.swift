import Streams

/// The announcements of a patch: a stream without memory, delivered in the order of the loop.
final class Troubles: PublinkRoute {
  typealias Value = PatchError

  let core = PublinkCore<PatchError>(replaysLast: false)
  private let loop: PatchLoop

  init(loop: PatchLoop) {
    self.loop = loop
  }

  /// How long a cascade on the loop may be.
  var cascadeLimit: Int {
    get { loop.cascadeLimit }
    set { loop.cascadeLimit = newValue }
  }

  /// Announces an error.
  @discardableResult
  func publish(_ error: PatchError) -> Delivery {
    guard core.subscriberCount > 0 else { return .delivered }
    loop.append(self, error)
    loop.deliver()
    return .queued
  }

  /// It has no memory.
  var last: PatchError? { nil }

  func placeInitialValue(_ take: (PatchError?) -> UInt64?) { _ = take(nil) }
  func deliver() { loop.deliver() }
  func observationChanged() {}

  func opened(_ subscription: any Closable) {
    if loop.isClosed { subscription.close() }
  }
}
