import GatheredKitTesting
import Glibc
import Ground
import Testing

@testable import Machine

/// What a capture brought, after the first 100 ms.
private final class Ear: Sendable {
  struct State {
    var format: SoundFormat?
    var meter = LevelMeter()
    var dropped = 0
    var lost = 0
    var failure: SystemError?
  }
  let state = Monitor(State())

  func take(_ event: SoundEvent) {
    state.withLock { state in
      switch event {
      case .began(let format): state.format = format
      case .samples(let samples):
        let count = min(samples.count, 4800 - state.dropped)
        state.dropped += count
        state.meter.add(UnsafeBufferPointer(rebasing: samples[count...]))
      case .lost: state.lost += 1
      case .ended(let error): state.failure = error
      }
    }
    state.signalAll()
  }

  /// Waits for so many samples.
  func hears(_ count: Int64) -> LevelMeter? {
    state.wait(until: Patience.end) { state in
      state.meter.count >= count ? state.meter : nil
    }
  }
}

@Suite(.enabled(if: (try? Libasound.version()) != nil, "libasound2 is not installed"), .serialized)
struct LibasoundCapturesTests {
  init() throws { try #require(SoundFolder.problem == "") }

  private func levels(of name: String, count: Int64 = 4800) throws -> LevelMeter.Levels {
    let ear = Ear()
    let captures = LibasoundCaptures()
    let capture = try captures.open(SoundFolder.pcm(name)) { ear.take($0) }
    defer { capture.cancel() }
    let heard = try #require(ear.hears(count))
    #expect(ear.state.withLock { $0.format } == SoundFormat(rate: 48_000, channels: 1))
    #expect(ear.state.withLock { $0.failure } == nil)
    return try #require(heard.levels(since: LevelMeter()))
  }

  @Test func `catalogue 4.4: a half-scale sine of 1 kHz is -9.03 and -6.02`() throws {
    let levels = try levels(of: "tone")
    #expect((levels.rms * 100).rounded() == -903)
    #expect((levels.peak * 100).rounded() == -602)
  }

  @Test func `silence is -160, and so is a file that has ended`() throws {
    #expect(try levels(of: "silence") == LevelMeter.Levels(rms: -160, peak: -160))
    let ear = Ear()
    let capture = try LibasoundCaptures().open(SoundFolder.pcm("short")) { ear.take($0) }
    defer { capture.cancel() }
    // The file is 200 ms long, of which the first half was dropped.
    let after = try #require(ear.hears(9600))
    let later = try #require(ear.hears(after.count + 4800))
    #expect(later.levels(since: after) == LevelMeter.Levels(rms: -160, peak: -160))
    #expect(later.clipped == 0)
  }

  @Test func `samples at full scale are counted`() throws {
    let ear = Ear()
    let capture = try LibasoundCaptures().open(SoundFolder.pcm("clipped")) { ear.take($0) }
    defer { capture.cancel() }
    let heard = try #require(ear.hears(4800))
    #expect(heard.clipped == heard.count)
    #expect(ear.state.withLock { $0.lost } == 0)
  }

  @Test func `a file plays no faster than a microphone, but for a quarter of a second`() throws {
    let ear = Ear()
    let start = LiveTime.boot
    let capture = try LibasoundCaptures().open(SoundFolder.pcm("clipped")) { ear.take($0) }
    defer { capture.cancel() }
    _ = try #require(ear.hears(48_000))
    // A second and the dropped tenth, less what it may be ahead.
    #expect(LiveTime.boot - start >= 1_100_000_000 - SoundPace.lead - 20_000_000)
  }

  @Test func `E3: what is not there is ENOENT, and nothing is captured`() {
    let ear = Ear()
    for name in [SoundFolder.pcm("nothing"), "", "plug:"] {
      #expect(throws: SystemError.self) { try LibasoundCaptures().open(name) { ear.take($0) } }
    }
    do throws(SystemError) {
      _ = try LibasoundCaptures().open(SoundFolder.pcm("nothing")) { ear.take($0) }
      Issue.record("opened nothing")
    } catch {
      #expect(error == SystemError(ENOENT, at: SoundFolder.pcm("nothing")))
    }
    #expect(ear.state.withLock { $0.format } == nil)
  }

  @Test func `a cancelled capture brings nothing more, and is closed before its opener goes`()
    throws
  {
    let ear = Ear()
    do {
      let captures = LibasoundCaptures()
      let capture = try captures.open(SoundFolder.pcm("tone")) { ear.take($0) }
      _ = try #require(ear.hears(1))
      capture.cancel()
      capture.cancel()
    }
    let count = ear.state.withLock { $0.meter.count }
    usleep(100_000)
    #expect(ear.state.withLock { $0.meter.count } == count)
  }

  @Test func `M3: what libasound complains of does not reach standard error`() throws {
    let (kept, pipe) = (dup(2), try Pipe())
    dup2(pipe.writing, 2)
    defer { close(kept) }
    _ = try? LibasoundCaptures().open(SoundFolder.pcm("nothing")) { _ in }
    dup2(kept, 2)
    #expect(pipe.text() == "")
  }
}

/// What was written to a pipe.
private final class Pipe {
  private let reading: Int32
  let writing: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  func text() -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(reading, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}

@Suite struct SoundPaceTests {
  @Test func `who never makes us wait is held back, a quarter of a second ahead`() {
    var pace = SoundPace(rate: 48_000)
    #expect(pace.delay(after: 480, at: 1000) < 0)
    #expect(pace.delay(after: 48_000 - 480, at: 1000) == 1_000_000_000 - SoundPace.lead)
    #expect(pace.delay(after: 0, at: 2_000_000_000) < 0)
  }

  @Test func `a device with a pace of its own is never held back`() {
    var pace = SoundPace(rate: 48_000)
    for second in 0..<100 {
      pace.restart(at: Int64(second) * 900_000_000)
      #expect(pace.delay(after: 9600, at: Int64(second) * 900_000_000) <= 0)
    }
  }
}
