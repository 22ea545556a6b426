import Gathering
import Ground
import Machine
import Values

/// A file that is read repeatedly; its text is parsed only when it has changed.
///
/// Most attributes do not change from one reading to the next; then a few bytes are compared
/// instead of parsing, making text and wording a failure. Plain numbers make no outcome.
final class ParsedFile {
  private enum Meaning {
    case unknown
    case whole(Int64)
    case real(Double)
    case flag(Bool)
    case other
  }

  private let file: PolledFile
  private let rule: TextRule
  private var meaning = Meaning.unknown
  private var kept = KeptOutcome(.notRead)
  private var failure: Int32?

  /// Makes a parsed file of a tree with the rule for its text.
  init(_ path: String, _ rule: TextRule, in files: any FileTree) {
    file = PolledFile(path, in: files)
    self.rule = rule
  }

  /// The last text as it came, or nil before one.
  var raw: RawValue? { file.lastRaw }

  /// Reads the file; returns its value, or why it cannot be read.
  func read() -> Outcome {
    update()
    return outcome
  }

  /// What was read last, if it is a plain number; nil where `outcome` says what it is.
  var number: Double? {
    switch meaning {
    case .whole(let number): Double(number)
    case .real(let number): number
    case .flag, .other, .unknown: nil
    }
  }

  /// What was read last, or why it could not be read.
  var outcome: Outcome {
    switch meaning {
    case .whole(let number): .ok(.int(number))
    case .real(let number): .ok(.double(number))
    case .flag(let flag): .ok(.bool(flag))
    case .other, .unknown: kept.outcome
    }
  }

  /// Reads the file into a property of a reading.
  func read(into reading: inout Reading, at index: Int) {
    update()
    put(into: &reading, at: index)
  }

  /// What was read last, as a property of a reading.
  func put(into reading: inout Reading, at index: Int) {
    switch meaning {
    case .whole(let number): reading.set(index, to: number)
    case .real(let number): reading.set(index, to: number)
    case .flag(let flag): reading.set(index, to: flag)
    case .other, .unknown: reading.set(index, to: kept)
    }
  }

  /// Whether there was a value at the last reading.
  var hasValue: Bool {
    switch meaning {
    case .whole, .real, .flag: true
    case .other, .unknown: kept.outcome.status == .ok
    }
  }

  /// Reads the file.
  func update() {
    do throws(SystemError) {
      let isKnown = failure == nil
      if try file.hasChanged() || !isKnown { understand() }
    } catch {
      if failure == error.code { return }
      failure = error.code
      meaning = .other
      kept = KeptOutcome(.from(error))
    }
  }

  private func understand() {
    failure = nil
    let text = file.bytes
    switch rule.number(of: text) {
    case .whole(let number)?: meaning = .whole(number)
    case .real(let number)?: meaning = .real(number)
    case nil: take(rule(text))
    }
  }

  private func take(_ new: Outcome) {
    let isPlain = new.status == .ok && !new.isLowAccuracy && new.stamp == nil
    switch new.value {
    case .int(let number) where isPlain: meaning = .whole(number)
    case .double(let number) where isPlain: meaning = .real(number)
    case .bool(let flag) where isPlain: meaning = .flag(flag)
    default:
      meaning = .other
      if new != kept.outcome { kept = KeptOutcome(new) }
    }
  }
}
