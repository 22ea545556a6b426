import Gathering
import Machine
import Values

/// The attributes of one backlight.
struct BacklightFiles {
  let actual, asked, largest, switchedOff, kind: PolledFile

  init(_ path: String, in files: any FileTree) {
    actual = PolledFile("\(path)/actual_brightness", in: files)
    asked = PolledFile("\(path)/brightness", in: files)
    largest = PolledFile("\(path)/max_brightness", in: files)
    switchedOff = PolledFile("\(path)/bl_power", in: files)
    kind = PolledFile("\(path)/type", in: files)
  }

  /// The raw brightness and its maximum; `actual_brightness` is used if it exists.
  func read() -> (raw: Outcome, largest: Outcome) {
    let shown = Outcome(reading: actual, .count)
    let raw = shown.status == .unsupported ? Outcome(reading: asked, .count) : shown
    return (raw, Outcome(reading: largest, .count))
  }

  /// The brightness from 0 to 1.
  static func share(_ raw: Outcome, of largest: Outcome) -> Outcome {
    for input in [raw, largest] where input.status != .ok { return input }
    guard case .int(let raw) = raw.value, case .int(let largest) = largest.value else {
      return .notRead
    }
    guard largest > 0, raw <= largest else {
      return .failed("brightness \(raw) of \(largest)", errno: SystemText.invalid)
    }
    return .ok(.double(Double(raw) / Double(largest)))
  }

  /// Whether it is lit: `bl_power` 0, every other level is darker.
  func power() -> Outcome {
    let level = Outcome(reading: switchedOff, .count)
    return level.status == .ok ? .ok(.bool(level.value == .int(0))) : level
  }

  /// `firmware`, `platform` or `raw`.
  func type() -> Outcome { Outcome(reading: kind, .word([:])) }

  /// The text the brightness came from.
  var rawBrightness: RawValue? { actual.lastRaw ?? asked.lastRaw }
}
