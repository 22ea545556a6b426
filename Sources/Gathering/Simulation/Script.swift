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
  /// The tables of instances that have others than their kinds.
  let tables: [ScriptTarget: [Property]]

  /// Reads a script. The first bad line is a `parse` error whose message begins `line N: `, N
  /// counting all lines from 1.
  init(
    parsing text: some Collection<UInt8>, catalogue: [any SourceKind],
    origin: Origin = .user
  ) throws(SourceError) {
    let texts = Array(text).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var parser = ScriptParser(catalogue, origin: origin)
    var lines = try Self.lines(of: texts, by: &parser)
    if !parser.tables.isEmpty {
      // Only now is it known which properties such instances have.
      parser = ScriptParser(catalogue, origin: origin, tables: parser.tables)
      lines = try Self.lines(of: texts, by: &parser)
    }
    self.lines = lines
    tables = parser.tables
  }

  private static func lines(
    of texts: [ArraySlice<UInt8>], by parser: inout ScriptParser
  ) throws(SourceError) -> [ScriptLine] {
    var lines: [ScriptLine] = []
    for (index, text) in texts.enumerated() {
      do throws(ScriptFault) {
        if let line = try parser.line(text, number: index + 1) { lines.append(line) }
      } catch {
        throw .parse("line \(index + 1): \(error.reason)")
      }
    }
    return lines
  }
}
