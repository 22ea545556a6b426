import GatheredKitTesting
import Streams
import Testing

/// `movingAverage`, `lowPass` and `minChange`.
@Suite struct SmoothingTests {
  let clock = ManualClock()
  let signal = Signal<Double>()

  /// Sends one value a millisecond and answers what comes out.
  private func results(_ stream: any ValueStream<Double>, _ values: [Double]) -> [Double] {
    let seen = CollectingSink<Double>()
    let connection = stream.collect(into: seen)
    for value in values {
      signal.send(value)
      clock.advance(by: .milliseconds(1))
    }
    connection.disconnect()
    return seen.values
  }

  @Test func `the mean of the last values from the first one on (L38)`() {
    let means = results(signal.movingAverage(window: 3), [3, 6, 9, 12, 0, 0, 0])
    #expect(means == [3, 4.5, 6, 9, 7, 4, 0])
  }

  @Test func `the mean of what is not older than a duration (L38)`() {
    let average = signal.movingAverage(duration: .milliseconds(1), on: clock)
    #expect(results(average, [2, 4, 8, 0]) == [2, 3, 6, 4])
  }

  @Test func `a window below 1 counts as 1, no duration passes all unchanged (L24)`() {
    #expect(results(signal.movingAverage(window: -1), [1, 5, 2]) == [1, 5, 2])
    let average = signal.movingAverage(duration: .milliseconds(-1), on: clock)
    let seen = CollectingSink<Double>()
    let connection = average.collect(into: seen)
    signal.send(1)
    signal.send(3)
    #expect(seen.values == [1, 3])
    withExtendedLifetime(connection) {}
  }

  @Test func `a mean forgets NaN, infinity and rounding with the values (L38)`() {
    let average = signal.movingAverage(window: 2)
    let means = results(average, [1e17, .infinity, 1, .nan, 1, 0.1, 0.3])
    #expect(means[1] == .infinity && means[2] == .infinity)
    #expect(means[3].isNaN && means[4].isNaN)
    #expect(means[5...] == [0.55, 0.2])
  }

  @Test func `alpha of the way to each new value (L39)`() {
    #expect(results(signal.lowPass(alpha: 0.5), [8, 0, 0, 16]) == [8, 4, 2, 9])
    #expect(results(signal.lowPass(alpha: 1), [0.1, 0.7, 1e300]) == [0.1, 0.7, 1e300])
  }

  @Test func `the way follows from the time between the values (L39)`() {
    let filter = signal.lowPass(timeConstant: .milliseconds(3), on: clock)
    #expect(results(filter, [0, 8, 8]) == [0, 2, 3.5])
    let seen = CollectingSink<Double>()
    let connection = filter.collect(into: seen)
    signal.send(0)
    signal.send(100)
    clock.advance(by: .milliseconds(3))
    signal.send(100)
    #expect(seen.values == [0, 0, 50])
    withExtendedLifetime(connection) {}
  }

  @Test(arguments: [0, -2]) func `no time constant passes all unchanged (L24)`(constant: Int) {
    let filter = signal.lowPass(timeConstant: .milliseconds(constant), on: clock)
    let seen = CollectingSink<Double>()
    let connection = filter.collect(into: seen)
    for value in [0.1, 0.7, -3] { signal.send(value) }
    #expect(seen.values == [0.1, 0.7, -3])
    withExtendedLifetime(connection) {}
  }

  @Test func `what differs enough from the last value forwarded (L40)`() {
    let values = [0, 0.5, 0.75, 1, 1.5, 0.25, 0, -1]
    #expect(results(signal.minChange(1), values) == [0, 1, 0, -1])
    #expect(results(signal.minChange(0), [1, 1, 2]) == [1, 1, 2])
    #expect(results(signal.minChange(-1), [1, 1, 2]) == [1, 1, 2])
  }

  @Test func `coming from NaN or infinity is a difference (L40)`() {
    let values = results(signal.minChange(1), [.nan, .nan, 1, .infinity, .infinity, 1])
    #expect(values.count == 4)
    #expect(values[0].isNaN)
    #expect(values[1...] == [1, .infinity, 1])
  }

  @Test func `each subscription has a memory of its own (L21)`() {
    let filter = signal.lowPass(alpha: 0.5)
    #expect(results(filter, [8, 0]) == [8, 4])
    #expect(results(filter, [2, 0]) == [2, 1])
  }
}
