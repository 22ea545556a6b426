/// What happens to a simulated device, and when: text understood against a catalogue (sources 15).
struct Script: Equatable, Sendable {
  /// What becomes of lines about kinds the catalogue does not have.
  enum UnknownKinds {
    /// They are parse errors.
    case refused
    /// They say nothing: built-in devices have every kind there is.
    case leftOut
  }

  /// In the order of the text, which is that of time.
  let lines: [ScriptLine]

  /// Reads a script. The first bad line is a `parse` error whose message begins `line N: `, N
  /// counting all lines from 1.
  init(
    parsing text: some Collection<UInt8>, catalogue: [any SourceKind],
    unknownKinds: UnknownKinds = .refused
  ) throws(SourceError) {
    var parser = ScriptParser(catalogue, unknownKinds: unknownKinds)
    var lines: [ScriptLine] = []
    let texts = Array(text).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, text) in texts.enumerated() {
      do throws(ScriptFault) {
        if let line = try parser.line(text, number: index + 1) { lines.append(line) }
      } catch {
        throw .parse("line \(index + 1): \(error.reason)")
      }
    }
    self.lines = lines
  }
}
