import Glibc
import Ground

/// How far long work has come: on standard error, while that is a terminal.
struct ProgressBar {
  private let title: String
  private let isWatched = isatty(STDERR_FILENO) == 1
  private var next: Int64
  private var isShown = false

  /// The shortest time between two drawings.
  private static let pace: Int64 = 100_000_000

  /// A bar that shows once the work has taken a moment.
  init(_ title: String) {
    self.title = title
    next = Monitor<Void>.moment(after: 3 * Self.pace)
  }

  /// Shows the part of the whole that is done.
  mutating func show(_ done: Int, of all: Int) {
    guard isWatched, Monitor<Void>.moment(after: 0) >= next else { return }
    next = Monitor<Void>.moment(after: Self.pace)
    isShown = true
    let share = all > 0 ? min(max(Double(done) / Double(all), 0), 1) : 1
    StandardError.write("\r\u{1B}[K\(title) \(Self.bar(share)) \(Int(share * 100)) %")
  }

  /// Takes it away again.
  mutating func clear() {
    if isShown { StandardError.write("\r\u{1B}[K") }
    isShown = false
  }

  /// A bar for a share from 0 to 1.
  static func bar(_ share: Double, width: Int = 30) -> String {
    let full = Int(share * Double(width))
    return "[" + String(repeating: "#", count: full)
      + String(repeating: "-", count: width - full) + "]"
  }
}
