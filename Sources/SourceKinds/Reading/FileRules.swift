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

  /// Millionths of a watt or a joule.
  static let micro = scaled(over: 1e6)

  /// Millionths of a watt, of a limit; 0 stands for "none set".
  static let microLimit = micro.map { $0.number == 0 ? .noData("no limit is set") : .ok($0) }
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
