import CLinux
import Glibc

/// The system objects a loop sleeps on: epoll, one timer on CLOCK_BOOTTIME and one descriptor to
/// wake it.
///
/// Timer and wake-up are edge-triggered, so neither has to be read: one system call less per
/// wake-up.
///
/// Two threads may sleep on one timer, each by a poller of its own: it wakes the first of the two
/// that sleeps.
struct Poller: Sendable {
  static let timerToken: UInt64 = 0
  static let wakeToken: UInt64 = 1
  /// The first token that callers may use.
  static let firstFreeToken: UInt64 = 2

  private let epoll: Descriptor
  private let timer: Descriptor
  private let wakeUp: WakeDescriptor

  init() throws(SystemError) {
    try self.init(Descriptor(answer: clinux_boot_timer_create(), at: "timerfd"))
  }

  /// A poller that sleeps on the timer of another one, behind it.
  init(behind other: Poller) throws(SystemError) {
    try self.init(other.timer)
  }

  private init(_ timer: Descriptor) throws(SystemError) {
    self.timer = timer
    epoll = try Descriptor(answer: clinux_epoll_create(), at: "epoll")
    wakeUp = try WakeDescriptor()
    let once = CLINUX_READABLE | CLINUX_EDGES
    try add(timer.number, events: once | CLINUX_ONE, token: Self.timerToken)
    try add(wakeUp.number, events: once, token: Self.wakeToken)
  }

  func add(_ descriptor: Int32, events: UInt32, token: UInt64) throws(SystemError) {
    let answer = clinux_epoll_add(epoll.number, descriptor, events, token)
    // epoll returns EPERM for a file that cannot be polled, which no permission would change.
    let code = answer == -EPERM ? EOPNOTSUPP : -answer
    guard code == 0 else { throw SystemError(code, at: "descriptor \(descriptor)") }
  }

  func remove(_ descriptor: Int32) {
    // Fails only if the descriptor was closed before its watch was cancelled and is therefore
    // removed.
    _ = clinux_epoll_remove(epoll.number, descriptor)
  }

  /// Sets the moment the timer fires, or switches it off.
  func arm(_ moment: Int64?) {
    if let moment {
      _ = clinux_boot_timer_set(timer.number, moment)
    } else {
      _ = clinux_boot_timer_clear(timer.number)
    }
  }

  func wake() {
    wakeUp.signal()
  }

  /// Sleeps until the timer has fired, `wake()` was called, or for no reason; whether the timer has
  /// fired.
  func waitForTimer() -> Bool {
    withUnsafeTemporaryAllocation(of: clinux_ready.self, capacity: 2) { ready in
      let count = clinux_epoll_wait(epoll.number, ready.baseAddress, Int32(ready.count), -1)
      return ready.prefix(Int(max(0, count))).contains { $0.token == Self.timerToken }
    }
  }

  /// Sleeps until a descriptor is ready, or only polls; returns the number of entries filled.
  func wait(into ready: inout [clinux_ready], onlyLook: Bool) -> Int {
    let capacity = Int32(clamping: ready.count)
    return Int(max(0, clinux_epoll_wait(epoll.number, &ready, capacity, onlyLook ? 0 : -1)))
  }
}
