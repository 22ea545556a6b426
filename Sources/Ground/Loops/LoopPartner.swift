/// The place of a second thread at an event loop.
///
/// While that thread sleeps here, timers wake it in place of the loop's own thread, which is woken
/// by all else, and by timers while no thread sleeps here.
public struct LoopPartner: Sendable {
  let loop: EventLoop
  let poller: Poller

  /// Sleeps until `wake()` was called, or timers are due, which it runs after it has called
  /// `isAwake`. It may return for no reason. For one thread.
  public func sleep(_ isAwake: () -> Void = {}) {
    let isTimer = poller.waitForTimer()
    isAwake()
    if isTimer { loop.runTimersAsPartner() }
  }

  /// Ends the present sleep, or the next one. Any thread.
  public func wake() { poller.wake() }
}
