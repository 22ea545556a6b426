import GatheredKitTesting
import Gathering
import Testing

@testable import SourceKinds

/// The table of sources 3, walked at random: what a session does is what its model does.
@Suite struct ModelTests {
  private struct Model {
    var interval: Int64?
    var origin: Int64 = 0
    var next: Int64 = 0
    var hasPending = false
    var expected: [String] = []

    /// Joins the grid of another of the same interval, or begins one (sources I4).
    mutating func start(every interval: Int64, at now: Int64, beside others: [Model]) {
      if self.interval == nil { expected.append("started") }
      self.interval = interval
      origin = others.first { $0.interval == interval }?.origin ?? now
      next = origin + ((now - origin) / interval + 1) * interval
      hasPending = true
    }

    mutating func stop() {
      if interval != nil { expected.append("stopped") }
      interval = nil
      hasPending = false
    }

    mutating func update() {
      // The newest wins: what waited is delivered as this one.
      expected.append("update")
      hasPending = false
    }

    mutating func dispatch() {
      if hasPending { expected.append("update") }
      hasPending = false
    }

    mutating func seek(to moment: Int64) {
      dispatch()
      guard let interval else { return }
      while next <= moment {
        expected.append("update")
        next += interval
      }
    }
  }

  @Test(arguments: 1...6)
  func `I4 a random walk keeps to the table`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let sim = try ScriptedContext(ScriptedContext.memory)
    let sources = [try sim.open("memory"), try sim.open("memory"), try sim.open("memory|machine")]
    let diaries = sources.map { Diary($0) }
    var models = sources.map { _ in Model() }
    var now: Int64 = 0
    for step in 0..<1500 {
      let index = Int.random(in: 0..<3, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1, 2:
        let interval = Int64.random(in: 1...20, using: &random) * 200_000_000
        try sources[index].startUpdating(every: interval)
        let others = models.indices.filter { $0 != index }.map { models[$0] }
        models[index].start(every: interval, at: now, beside: others)
      case 3, 4:
        try sources[index].stopUpdating()
        models[index].stop()
      case 5:
        try sources[index].updateValues()
        models[index].update()
      case 6:
        _ = try sim.context.dispatch(timeout: 0)
        for index in models.indices { models[index].dispatch() }
      default:
        now += Int64.random(in: 0...30, using: &random) * 50_000_000
        try sim.context.seek(to: now)
        for index in models.indices { models[index].seek(to: now) }
      }
      for index in models.indices {
        let told = diaries[index].words()
        #expect(told == models[index].expected, "seed \(seed), step \(step), session \(index)")
        models[index].expected = []
        #expect(sources[index].isUpdating == (models[index].interval != nil))
        #expect(sources[index].updateInterval == models[index].interval)
      }
    }
  }
}
