import Ground
import NIOCore
import Serving

/// Threads for what waits for a device or a daemon: each work has one of its own, so that it holds
/// up no other answer. There are none while none is asked for.
final class PatientThreads: Sendable {
  private struct State {
    var count = 0
    var isStopped = false
  }

  private let state = Monitor(State())

  /// Makes an answer, and hands it over on a loop. Refuses where too many are being made.
  func run(
    on loop: any NIOCore.EventLoop, _ make: @escaping @Sendable () -> HTTPAnswer,
    _ take: @escaping @Sendable (HTTPAnswer) -> Void
  ) throws(Refusal) {
    let hasRoom = state.withLock { state in
      if state.count == Limits.connections { return false }
      state.count += 1
      return true
    }
    guard hasRoom else { throw Self.refusal }
    do throws(SystemError) {
      try WorkerThread(named: "gkit-answer") { [self] in
        let answer = make()
        state.withLock { $0.count -= 1 }
        hand(to: loop) { take(answer) }
      }.detach()
    } catch {
      state.withLock { $0.count -= 1 }
      throw Self.refusal
    }
  }

  /// Begins a stream, of which there are not many; without a thread left, on the caller's.
  func begin(_ work: @escaping @Sendable () -> Void) {
    do throws(SystemError) {
      try WorkerThread(named: "gkit-stream", work).detach()
    } catch {
      work()
    }
  }

  /// Has a loop do something. Dropped from `stop` on: a loop that has ended takes nothing, and ends
  /// only after it.
  func hand(to loop: any NIOCore.EventLoop, _ work: @escaping @Sendable () -> Void) {
    state.withLock { if !$0.isStopped { loop.execute(work) } }
  }

  /// Has what is handed over from now on dropped.
  func stop() { state.withLock { $0.isStopped = true } }

  private static var refusal: Refusal {
    Refusal(
      .limit, "\(Limits.connections) answers wait for devices already",
      remedy: "try again in a moment", fields: [HeaderField("Retry-After", "1")])
  }
}
