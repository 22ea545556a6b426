import Glibc
public import Ground

/// This computer's sound through libasound; every capture has a thread of its own.
public final class LibasoundCaptures: SoundOpener {
  /// Captures that were cancelled and are not closed yet.
  private let ending = Monitor(0)

  /// Opens nothing until asked.
  public init() {}

  deinit {
    // Waits, 1 s at most, until the microphones are free.
    waitForEnds(until: Monitor<Int>.moment(after: 1_000_000_000))
  }

  /// Why nothing can be opened: libasound is not there.
  public var obstacle: MissingLibrary? {
    do throws(MissingLibrary) {
      _ = try Libasound.version()
      return nil
    } catch {
      return error
    }
  }

  /// Opens a PCM on a thread of its own.
  public func open(
    _ device: String, receive: @escaping @Sendable (SoundEvent) -> Void
  ) throws(SystemError) -> any Cancellable {
    // A device may have only one owner: waits for an owner that is about to release it.
    waitForEnds(until: Monitor<Int>.moment(after: 400_000_000))
    let capture = try CaptureThread(device, ending, receive)
    try capture.start(within: 1_400_000_000)
    return capture
  }

  private func waitForEnds(until moment: Int64) {
    _ = ending.wait(until: moment) { $0 <= 0 ? true : nil }
  }
}

/// Captures until it is cancelled; a capture that breaks is opened again (sources L9).
private final class CaptureThread: Cancellable {
  private struct State {
    var opening: Result<Void, SystemError>?
    var isCancelled = false
    var isRunning = true
  }

  private let state = Monitor(State(), rank: .device)
  private let wake: WakeDescriptor
  private let device: String
  private let ending: Monitor<Int>
  private let receive: @Sendable (SoundEvent) -> Void

  init(
    _ device: String, _ ending: Monitor<Int>, _ receive: @escaping @Sendable (SoundEvent) -> Void
  ) throws(SystemError) {
    self.device = device
    self.ending = ending
    self.receive = receive
    wake = try WakeDescriptor()
  }

  /// Waits until the device is open; throws why it is not.
  func start(within limit: Int64) throws(SystemError) {
    try WorkerThread(named: "gkit-sound") { [self] in run() }.detach()
    let moment = Monitor<Void>.moment(after: limit)
    guard let opening = state.wait(until: moment, for: { $0.opening }) else {
      // It closes by itself, whenever it has been opened.
      cancel()
      throw SystemError(ETIMEDOUT, at: device)
    }
    try opening.get()
  }

  func cancel() {
    state.withLock { state in
      if state.isRunning && !state.isCancelled { ending.withLock { $0 += 1 } }
      state.isCancelled = true
    }
    wake.signal()
  }

  private var isCancelled: Bool { state.withLock { $0.isCancelled } }

  private func run() {
    var failures = 0
    while !isCancelled {
      do throws(SystemError) {
        try capture(&failures)
      } catch {
        if settle(.failure(error)) { break }
        guard failures < Self.pauses.count else {
          if !isCancelled { receive(.ended(error)) }
          break
        }
        failures += 1
        sleep(Self.pauses[failures - 1])
      }
    }
    state.withLock { state in
      state.isRunning = false
      if state.isCancelled { ending.withLock { $0 -= 1 } }
    }
    ending.signalAll()
  }

  /// How long after a failure it is opened again, in nanoseconds: at once, then 1 s, then 2 s.
  private static let pauses: [Int64] = [0, 1_000_000_000, 2_000_000_000]

  /// Whether the outcome of the opening was still open.
  @discardableResult
  private func settle(_ opening: Result<Void, SystemError>) -> Bool {
    let isFirst = state.withLock { state in
      if state.opening != nil { return false }
      state.opening = opening
      return true
    }
    state.signalAll()
    return isFirst
  }

  /// Opens the device and captures until cancelled. Throws when it breaks.
  private func capture(_ failures: inout Int) throws(SystemError) {
    let capture = try SoundCapture.open(device)
    if isCancelled { return }
    receive(.began(capture.format))
    settle(.success(()))
    var pace = SoundPace(rate: capture.format.rate)
    while !isCancelled {
      switch try capture.wait(or: wake, milliseconds: 1000) {
      case .woken, .quiet: continue
      case .ready: break
      }
      var isMore = true
      while isMore && !isCancelled {
        switch try capture.read() {
        case .samples(let samples):
          failures = 0
          receive(.samples(samples))
          sleep(pace.delay(after: samples.count / capture.format.channels, at: LiveTime.boot))
        case .lost: receive(.lost)
        case .nothing:
          isMore = false
          pace.restart(at: LiveTime.boot)
        }
      }
    }
  }

  /// Waits this many nanoseconds, or until cancelled.
  private func sleep(_ nanoseconds: Int64) {
    if nanoseconds <= 0 { return }
    var wakeUp = pollfd(fd: wake.number, events: Int16(POLLIN), revents: 0)
    _ = poll(&wakeUp, 1, Int32(clamping: nanoseconds / 1_000_000 + 1))
  }
}

/// Holds back devices that never make a reader wait, as files in the place of microphones do.
struct SoundPace {
  /// How far samples may be ahead of the clock, in nanoseconds: more than a device's buffer holds,
  /// so that a device with a pace of its own is never held back.
  static let lead: Int64 = 250_000_000

  let rate: Int
  private var start: Int64?
  private var frames: Int64 = 0

  init(rate: Int) { self.rate = rate }

  /// The device made us wait: its pace counts.
  mutating func restart(at now: Int64) {
    start = now
    frames = 0
  }

  /// How long to wait after some frames more, in nanoseconds; not positive if not at all.
  mutating func delay(after more: Int, at now: Int64) -> Int64 {
    let begin = start ?? now
    start = begin
    frames += Int64(more)
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(rate))
    let length = seconds * 1_000_000_000 + rest * 1_000_000_000 / Int64(rate)
    return begin + length - Self.lead - now
  }
}
