/// The place of a second thread at an event loop.
///
/// While that thread sleeps here, timers wake it in place of the loop's own thread, which is woken
/// by all else, and by timers while no thread sleeps here.
public struct LoopPartner: Sendable {
  let loop: EventLoop
  let poller: Poller

  /// Sleeps until `wake()` is called or a timer is due, calls `onWake`, and runs the timers that
  /// are due. It may return for no reason. Only one thread may sleep here.
  public func sleep(onWake: () -> Void = {}) {
    let isTimer = poller.waitForTimer()
    onWake()
    if isTimer { loop.runTimersAsPartner() }
  }

  /// Ends the present sleep, or the next one. Any thread.
  public func wake() { poller.wake() }
}
