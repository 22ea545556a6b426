import Gathering
import Ground
import Machine
import Values

extension TextRule {
  /// A whole number from 0 on; a negative one is not plausible.
  static let count = TextRule(.whole(from: 0)) { text in
    let outcome = TextRule.integer()(text)
    guard case .int(let number) = outcome.value, number < 0 else { return outcome }
    return .unparsable(text)
  }
}

extension PolledFile {
  /// The last text as it came, or nil before one.
  var lastRaw: RawValue? { bytes.isEmpty ? nil : RawValue(bytes, place: path) }
}

extension Availability {
  /// The availability of a kind whose class folder cannot be listed.
  init(listing error: SystemError, backend: String) {
    let text = "\(error.place): \(SystemText.message(of: error.code))"
    switch error.code {
    case SystemText.noEntry:
      self.init(.noHardware, backend: backend, detail: text, errno: error.code)
    case SystemText.accessDenied, SystemText.notPermitted:
      self.init(
        .permissionDenied, backend: backend, detail: text, errno: error.code,
        remedy: "give this user read access to \(error.place)")
    default:
      self.init(
        .failed, backend: backend, detail: text, errno: error.code,
        remedy: "check \(error.place)")
    }
  }
}
