import Gathering
import Ground
import Machine
import Values

/// os-release(5): `/etc/os-release`, else `/usr/lib/os-release`.
struct SystemRelease {
  private let file: PolledFile
  private let failure: SystemError?

  init(in files: any FileTree) {
    var file = PolledFile("/etc/os-release", in: files, limit: 1 << 16)
    var failure = Self.failure(of: file)
    if failure?.code == SystemText.noEntry {
      file = PolledFile("/usr/lib/os-release", in: files, limit: 1 << 16)
      failure = Self.failure(of: file)
    }
    self.file = file
    self.failure = failure
  }

  private static func failure(of file: PolledFile) -> SystemError? {
    do {
      _ = try file.read()
      return nil
    } catch {
      return error
    }
  }

  /// The value of a key.
  func value(of key: String) -> (outcome: Outcome, raw: RawValue?) {
    if let failure { return (.from(failure), nil) }
    guard let raw = Assignments.rawValue(of: key, in: file.bytes) else {
      return (
        file.bytes.isEmpty ? .noData("empty text") : .unsupported("\(file.path) has no \(key)"),
        nil
      )
    }
    let text = Assignments.unquoted(raw)
    let outcome = text.isEmpty ? Outcome.noData("empty text") : .ok(.string(text.lenientText))
    return (outcome, RawValue(raw, place: file.path))
  }
}
