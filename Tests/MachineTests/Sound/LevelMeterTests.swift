import Glibc
import Machine
import Testing

@Suite struct LevelMeterTests {
  private func meter(_ blocks: [Int16]...) -> LevelMeter {
    var meter = LevelMeter()
    for block in blocks { block.withUnsafeBufferPointer { meter.add($0) } }
    return meter
  }

  private func sine(_ amplitude: Double, count: Int = 480) -> [Int16] {
    (0..<count).map { Int16((amplitude * sin(2 * .pi * Double($0) / 48)).rounded()) }
  }

  private func near(_ found: Double?, _ wanted: Double, within tolerance: Double = 1e-3) -> Bool {
    found.map { abs($0 - wanted) < tolerance } == true
  }

  @Test func `catalogue 4.4: a half-scale sine is -9.03 and -6.02`() {
    let levels = meter(sine(16384)).levels(since: LevelMeter())
    #expect(near(levels?.rms, 20 * log10(0.5 / 2.0.squareRoot())))
    #expect(levels?.peak == 20 * log10(0.5))
  }

  @Test func `catalogue 4.4: a full-scale sine is -3.01`() {
    let levels = meter(sine(32767)).levels(since: LevelMeter())
    #expect(near(levels?.rms, -3.0103))
    #expect(near(levels?.peak, 0))
  }

  @Test func `catalogue 4.4: silence is -160, and no levels come of no samples`() {
    let silent = meter([Int16](repeating: 0, count: 100))
    #expect(silent.levels(since: LevelMeter()) == LevelMeter.Levels(rms: -160, peak: -160))
    #expect(silent.levels(since: silent) == nil)
    #expect(LevelMeter().levels(since: LevelMeter()) == nil)
    #expect(meter([]) == LevelMeter())
  }

  @Test func `the smallest and the largest sample are both full scale`() {
    let loud = meter([.min, .max, 32766, -32767, 0])
    #expect(loud.clipped == 2)
    #expect(loud.levels(since: LevelMeter())?.peak == 0)
    #expect(meter([.min, .min]).levels(since: LevelMeter()) == LevelMeter.Levels(rms: 0, peak: 0))
  }

  @Test func `I8: each of several listeners gets exactly what came since it last looked`() {
    var generator = SystemRandomNumberGenerator()
    var meter = LevelMeter()
    var states = [meter]
    var blocks: [[Int16]] = []
    for _ in 0..<60 {
      let loudness = Int16.random(in: 1...Int16.max, using: &generator)
      let block = (0..<16).map { _ in Int16.random(in: -loudness...loudness, using: &generator) }
      block.withUnsafeBufferPointer { meter.add($0) }
      blocks.append(block)
      states.append(meter)
    }
    for start in states.indices {
      for end in states.indices where end > start {
        let all = blocks[start..<end].joined().map { Double($0) }
        let power = all.reduce(0) { $0 + $1 * $1 } / Double(all.count)
        let levels = states[end].levels(since: states[start])
        #expect(near(levels?.rms, 10 * log10(power / 32768 / 32768), within: 1e-9))
        #expect(levels?.peak == 20 * log10((all.map(abs).max() ?? 0) / 32768))
      }
    }
  }

  @Test func `a state travels as numbers and comes back the same`() {
    let state = meter(sine(1000), sine(100), sine(10))
    #expect(LevelMeter(state.numbers) == state)
    #expect(state.numbers.count == 4 + 3 * 2)
    for bad in [[], [1, 2, 3], [1, 2, 3, 4, 5]] as [[Int64]] { #expect(LevelMeter(bad) == nil) }
  }

  @Test func `no length of a stretch overflows`() {
    // Two days at full scale, as numbers: 2^33 samples of 2^30 each are more than 64 bits hold.
    let start = LevelMeter()
    var state = LevelMeter([0, 0, (1 << 62) - (1 << 40), 1 << 10, 0, 0]) ?? start
    let before = state
    let loud = [Int16](repeating: .min, count: 1 << 12)
    loud.withUnsafeBufferPointer { state.add($0) }
    #expect(state.levels(since: before)?.rms == 0)
  }
}
