import Gathering
import Ground
import Machine

/// A file read again and again, whose text is understood anew only when it differs from before.
///
/// Most attributes stay as they are from one reading to the next; then comparing a few bytes takes
/// the place of parsing, of making text and of wording a failure.
final class ParsedFile {
  private let file: PolledFile
  private let rule: TextRule
  private var known: [UInt8] = []
  private var outcome: Outcome?
  private var failure: Int32?

  /// A file of a tree and what its text means.
  init(_ path: String, _ rule: TextRule, in files: any FileTree) {
    file = PolledFile(path, in: files)
    self.rule = rule
  }

  /// The last text as it came, or nil before one.
  var raw: RawValue? { file.lastRaw }

  /// Reads the file; what it says, or why it cannot be read.
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
