import Gathering
import Ground

/// How far this machine's boot clock is ahead of another's, by the messages that come from there
/// (fleet F49, F50).
///
/// The fastest message of the last five minutes counts, as clock filters have it. The offset moves
/// by at most 500 ppm, so that times never go back; another boot is measured anew.
struct BootOffset: Sendable {
  /// By how much it moves at most, of the time that passes.
  private static let slew = 500e-6
  private static let minute: Int64 = 60_000_000_000

  private var boot = ""
  /// The least transit of each of the last minutes, by the number of the minute.
  private var minima: [(minute: Int64, least: Int64)] = []
  private var offset: Int64?
  private var movedAt: Int64 = 0
  /// Whether only retained messages have come: how old those are, only wall clocks tell.
  private var isGuess = true
  /// What the other's wall clock was ahead of ours by the last messages.
  private var skews: [Int64] = []

  /// Takes a message's times, and when it has arrived; one of another boot begins anew.
  mutating func note(sent: Instant, arrival: Instant, isRetained: Bool) {
    if isRetained {
      if offset == nil { guess(sent, arrival) }
      return
    }
    if skews.count == 64 { skews.removeFirst() }
    skews.append(sent.realtime &- arrival.realtime)
    let transit = arrival.boot &- sent.boot
    let minute = arrival.boot / Self.minute
    minima.removeAll { $0.minute < minute - 4 }
    if let last = minima.indices.last, minima[last].minute == minute {
      minima[last].least = min(minima[last].least, transit)
    } else {
      minima.append((minute, transit))
    }
    let least = minima.map(\.least).min() ?? transit
    guard let before = offset, !isGuess else {
      (offset, movedAt, isGuess) = (least, arrival.boot, false)
      return
    }
    let most = Int64(Double(max(0, arrival.boot &- movedAt)) * Self.slew)
    offset = before &+ min(max(least &- before, -most), most)
    movedAt = arrival.boot
  }

  /// A message that was retained may be old: it was sent when its wall clock says, but not later
  /// than it came.
  private mutating func guess(_ sent: Instant, _ arrival: Instant) {
    let age = max(0, arrival.realtime &- sent.realtime)
    offset = arrival.boot &- age &- sent.boot
    isGuess = true
  }

  /// The machine tells which boot it is in: after another one all is measured anew.
  mutating func note(boot: String) {
    if self.boot != boot, !self.boot.isEmpty {
      (minima, offset, isGuess) = ([], nil, true)
    }
    self.boot = boot
  }

  /// What is added to the other machine's boot times.
  var shift: Int64 { offset ?? 0 }

  /// By how much its wall clock is ahead of ours, by the median of the last messages; nil before
  /// one has come.
  var skew: Int64? { skews.isEmpty ? nil : skews.sorted()[skews.count / 2] }

  /// What there is to say of its wall clock; empty where it is right, or nearly.
  func warning(of device: String) -> String {
    guard let skew, skew.magnitude > 2_000_000_000 else { return "" }
    let way = skew > 0 ? "ahead" : "behind"
    return "the clock of \(device) is \(Self.words(for: skew.magnitude)) \(way)"
  }

  /// To the nearest: by the time that a message takes, a clock seems less ahead.
  private static func words(for nanoseconds: UInt64) -> String {
    let seconds = (nanoseconds + 500_000_000) / 1_000_000_000
    if seconds < 120 { return "\(seconds) s" }
    if seconds < 7200 { return "\((seconds + 30) / 60) min" }
    return seconds < 172_800
      ? "\((seconds + 1800) / 3600) h" : "\((seconds + 43_200) / 86_400) days"
  }
}
