import Gathering
import Ground
import Testing

/// The receiver of the log.
@Suite struct LogTests {
  @Test func `a former receiver is released outside the lock`() async {
    // The receiver is of the process, so this has one of its own.
    await #expect(processExitsWith: .success) {
      Log.setReceiver { [caller = Caller()] _, _, _ in withExtendedLifetime(caller) {} }
      Log.setReceiver(nil)
    }
  }
}

/// It may call out when it is released.
private final class Caller: Sendable {
  deinit { LockRank.expectNoLock("calls out") }
}
