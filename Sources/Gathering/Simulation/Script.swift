/// What happens to a simulated device, and when: text understood against a catalogue (sources 15).
struct Script: Equatable, Sendable {
  /// Who wrote it.
  enum Origin {
    /// A user: what it does not spell right is a parse error.
    case user
    /// The library, for any catalogue: lines about kinds that are not there say nothing, and
    /// `set ID/KEY motion DEGREES` lets a property follow a `SimulatedMotion` of that incline.
    case library
  }

  /// In the order of the text, which is that of time.
  let lines: [ScriptLine]

  /// Reads a script. The first bad line is a `parse` error whose message begins `line N: `, N
  /// counting all lines from 1.
  init(
    parsing text: some Collection<UInt8>, catalogue: [any SourceKind],
    origin: Origin = .user
  ) throws(SourceError) {
    var parser = ScriptParser(catalogue, origin: origin)
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
