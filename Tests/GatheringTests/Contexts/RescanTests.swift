import GatheredKitTesting
import Ground
import Testing

@testable import Gathering

/// When a machine that sends no events is looked at.
@Suite struct RescanTests {
  /// The moments of looks until a second, in milliseconds, with ticks from a moment on.
  private func looks(until second: Int64, ticks: Int64?) -> [Int64] {
    let loop = VirtualLoop(clock: VirtualTime())
    let moments = Lock<[Int64]>([])
    let rescan = Rescan(on: loop, besides: { ticks.map { $0 * 1_000_000 } }) {
      moments.withLock { $0.append(loop.clock.boot / 1_000_000) }
    }
    defer { rescan.cancel() }
    loop.advance(to: second * 1_000_000_000)
    return moments.withLock { $0 }
  }

  @Test func `C4 a look comes once a second`() {
    #expect(looks(until: 3, ticks: nil) == [1000, 2000, 3000])
  }

  @Test(arguments: [(Int64(0), Int64(1000)), (300, 1300), (600, 600)])
  func `I4 looks fall on ticks`(ticks: Int64, first: Int64) {
    #expect(looks(until: 3, ticks: ticks).prefix(2) == [first, first + 1000])
  }
}
