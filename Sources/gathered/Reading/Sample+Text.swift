import Gathering
import Values

extension Sample {
  /// The value as one word without spaces, unless quoted; `!STATUS` where there is none.
  func word(unit: String? = nil) -> String {
    guard status.hasPayload else { return "!\(status.word)" }
    switch value {
    case .none: return "null"
    case .int, .double, .vector:
      let number = value.formatted().filter { $0 != " " }
      return number + (unit.map { $0 == "1" ? "" : $0 } ?? "")
    case .string(let text): return text.quotedIfNeeded
    default: return value.formatted().quotedIfNeeded
    }
  }
}

extension ValueDictionary {
  /// Adds `status` and, unless it is ok, `reason` and `remedy` where there are any.
  mutating func addStatus(of sample: Sample) {
    self["status"] = .string(sample.status.word)
    guard let absence = sample.absence, sample.status != .ok else { return }
    self["reason"] = .string(absence.reason)
    if !absence.remedy.isEmpty { self["remedy"] = .string(absence.remedy) }
  }
}
