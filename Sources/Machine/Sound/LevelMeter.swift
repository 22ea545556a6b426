import Glibc

/// Loudness of 16-bit samples, kept so that the level of any stretch between two states follows
/// exactly: of all that came since each of several listeners last looked.
///
/// No sample is kept. Full scale is 32768; levels are decibels below it (dBFS).
public struct LevelMeter: Equatable, Sendable {
  /// The level of silence: not minus infinity, which is no number.
  public static let silence = -160.0

  /// The loudness of a stretch.
  public struct Levels: Equatable, Sendable {
    /// 20·log10(root mean square ÷ full scale): a full-scale sine is −3.01.
    public var rms: Double
    /// 20·log10(largest absolute sample ÷ full scale).
    public var peak: Double

    /// Two levels.
    public init(rms: Double, peak: Double) {
      self.rms = rms
      self.peak = peak
    }
  }

  private struct Peak: Equatable {
    /// How many samples there were up to its end.
    var end: Int64
    var size: Int64
  }

  /// Squares are summed in two numbers, the second counting whole `limb`s, so that no length of a
  /// stretch overflows.
  private static let limb: Int64 = 1 << 62

  /// How many samples there were.
  public private(set) var count: Int64 = 0
  /// The number of samples at full scale.
  public private(set) var clipped: Int64 = 0
  private var squares: Int64 = 0
  private var limbs: Int64 = 0
  /// The blocks that no later block reaches in loudness, so that loudness strictly decreases: the
  /// first that ends after a moment is the loudest since. There are about ten of them, at most
  /// 32769.
  private var peaks: [Peak] = []

  /// Makes an empty meter.
  public init() {}

  /// Takes a block of samples; stretches begin and end between blocks.
  public mutating func add(_ samples: UnsafeBufferPointer<Int16>) {
    if samples.isEmpty { return }
    var sum: Int64 = 0
    var largest: Int64 = 0
    for sample in samples {
      let value = Int64(sample)
      sum &+= value &* value
      largest = max(largest, abs(value))
      if sample == .max || sample == .min { clipped += 1 }
    }
    count += Int64(samples.count)
    squares += sum
    if squares >= Self.limb {
      squares -= Self.limb
      limbs += 1
    }
    while let last = peaks.last, last.size <= largest { peaks.removeLast() }
    peaks.append(Peak(end: count, size: largest))
  }

  /// The levels since an earlier state of the same meter; nil if nothing was added since.
  public func levels(since earlier: LevelMeter) -> Levels? {
    let samples = count - earlier.count
    guard samples > 0, let peak = peaks.first(where: { $0.end > earlier.count }) else { return nil }
    let whole = Double(limbs - earlier.limbs) * Double(Self.limb)
    let power = (whole + Double(squares - earlier.squares)) / Double(samples)
    let fullScale = 32768.0
    return Levels(
      rms: Self.decibels(10 * log10(power / (fullScale * fullScale))),
      peak: Self.decibels(20 * log10(Double(peak.size) / fullScale)))
  }

  private static func decibels(_ number: Double) -> Double { min(0, max(silence, number)) }
}

extension LevelMeter {
  /// The state as numbers, for a reading to carry.
  public var numbers: [Int64] {
    [count, clipped, squares, limbs] + peaks.flatMap { [$0.end, $0.size] }
  }

  /// The state that `numbers` gave; nil if they are of something else.
  public init?(_ numbers: some RandomAccessCollection<Int64>) {
    let all = Array(numbers)
    guard all.count >= 4, all.count.isMultiple(of: 2) else { return nil }
    (count, clipped, squares, limbs) = (all[0], all[1], all[2], all[3])
    peaks = stride(from: 4, to: all.count, by: 2).map { Peak(end: all[$0], size: all[$0 + 1]) }
  }
}
