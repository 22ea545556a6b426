/// How the samples of one part follow each other: how often they come, measured by their own times.
///
/// The mean is that of all steps since the rate last changed, so that jitter evens out. A step that
/// is much longer than the mean is a drop-out and says nothing of the rate, unless such steps are
/// a habit: some drivers date what they fetched together by when they fetched it.
struct SamplePace: Sendable {
  private(set) var last: Int64?
  /// The mean time between two samples, in seconds.
  private(set) var mean: Double
  /// How many steps the mean is of.
  private var count = 0.0
  /// Some steps in a row, which tell whether the rate is still that of the mean.
  private var block = (sum: 0.0, count: 0)
  /// The mean of the block before, if it was another rate's.
  private var suspicion: Double?
  private var stepsSinceDropOut = Self.rarity

  /// How far back the mean reaches, in steps.
  private static let memory = 1024.0
  /// How many times the mean a step is that is a drop-out.
  private static let dropOut = 4.0
  /// How many steps lie between drop-outs at least.
  private static let rarity = 64
  private static let blockLength = 16
  /// By which part of it the rate has changed when two blocks in a row agree on that.
  private static let change = 0.2

  /// A pace that is taken for true until the first step.
  init(_ interval: Double) { mean = interval }

  /// The same pace for samples whose times have nothing to do with those before.
  var resumed: SamplePace {
    var pace = self
    pace.last = nil
    return pace
  }

  /// The time since the sample before in seconds; nil for the first.
  mutating func step(to time: Int64) -> Double? {
    defer { last = time }
    guard let last else { return nil }
    let seconds = Double(time - last) / 1e9
    if seconds > 0 { learn(seconds) }
    return seconds
  }

  private mutating func learn(_ seconds: Double) {
    stepsSinceDropOut += 1
    if count > 0, seconds > mean * Self.dropOut {
      defer { stepsSinceDropOut = 0 }
      if stepsSinceDropOut > Self.rarity { return }
    }
    count = min(count + 1, Self.memory)
    mean += (seconds - mean) / count
    block = (block.sum + seconds, block.count + 1)
    if block.count == Self.blockLength { judge() }
  }

  /// Begins anew where two blocks in a row are of another rate.
  private mutating func judge() {
    let recent = block.sum / Double(block.count)
    block = (0, 0)
    let ratio = recent / mean
    guard abs(ratio - 1) > Self.change else {
      suspicion = nil
      return
    }
    guard let before = suspicion, (before > mean) == (recent > mean) else {
      suspicion = recent
      return
    }
    // The block before may have begun at the old rate.
    mean = recent
    count = Double(Self.blockLength)
    suspicion = nil
  }
}
