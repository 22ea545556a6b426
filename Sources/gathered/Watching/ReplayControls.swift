import Gathering
import Values

/// The controls of a replay by keys, and its position.
final class ReplayControls {
  private let context: Context
  /// The rate to go on with after a pause.
  private var rate: Double

  /// How far the arrows jump.
  private static let jump: Int64 = 5_000_000_000
  private static let rates = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100]

  /// Makes the controls of a replay.
  init(_ context: Context) {
    self.context = context
    rate = context.rate ?? 1
  }

  /// Obeys a key; those that mean nothing to a replay do nothing.
  func obey(_ key: Keyboard.Key, step: Int64) throws(SourceError) {
    let position = context.position ?? 0
    switch key {
    case .character(" "): try context.setRate(context.rate == 0 ? rate : 0)
    case .right: try context.seek(to: position + Self.jump)
    case .left: try context.seek(to: max(position - Self.jump, 0))
    case .character("."):
      try context.setRate(0)
      try context.seek(to: position + step)
    case .character("+"): try set(Self.rates.first { $0 > rate } ?? .infinity)
    case .character("-"): try set(Self.rates.last { $0 < rate } ?? rate)
    default: break
    }
  }

  private func set(_ rate: Double) throws(SourceError) {
    self.rate = rate
    if context.rate != 0 { try context.setRate(rate) }
  }

  /// The position and the keys, on one line.
  var line: String {
    let (position, duration) = (context.position ?? 0, context.duration ?? 0)
    let share = duration > 0 ? min(Double(position) / Double(duration), 1) : 1
    let seconds = [position, duration].map { Value.double(Double($0 / 100_000_000) / 10) }
    let pace = context.rate == 0 ? "paused" : Value.double(rate).formatted() + "x"
    return "\(ProgressBar.bar(share, width: 20)) \(seconds[0].formatted()) of "
      + "\(seconds[1].formatted()) s, \(pace)"
  }
}
