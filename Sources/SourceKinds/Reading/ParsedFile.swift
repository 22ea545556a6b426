import Gathering
import Ground
import Machine

/// A file that is read repeatedly; its text is parsed only when it has changed.
///
/// Most attributes do not change from one reading to the next; then a few bytes are compared
/// instead of parsing, making text and wording a failure.
final class ParsedFile {
  private let file: PolledFile
  private let rule: TextRule
  private var known: [UInt8] = []
  private var outcome: Outcome?
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
    do throws(SystemError) {
      return meaning(of: try file.read())
    } catch {
      if let outcome, failure == error.code { return outcome }
      failure = error.code
      return remember(.from(error))
    }
  }

  private func meaning(of text: ArraySlice<UInt8>) -> Outcome {
    if let outcome, failure == nil, text.equals(known) { return outcome }
    failure = nil
    known.removeAll(keepingCapacity: true)
    known.append(contentsOf: text)
    return remember(rule(text))
  }

  private func remember(_ new: Outcome) -> Outcome {
    outcome = new
    return new
  }
}
