/// The help of a command, wrapped to the width of a terminal.
///
/// An example is never broken within itself: what it does moves to the next line.
enum HelpText {
  /// The column where the words on options begin.
  private static let labels = 26
  private static let sections = ["ARGUMENTS:", "OPTIONS:", "SUBCOMMANDS:"]

  /// Whether a text of the argument parser is help, and not for a program.
  static func isHelp(_ text: String) -> Bool {
    ["OVERVIEW: ", "USAGE: "].contains(where: text.hasPrefix)
  }

  /// Wraps a help that has one line a paragraph, example or option.
  static func wrapped(_ text: String, to columns: Int) -> String {
    var isListing = false
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if !line.hasPrefix(" "), !line.isEmpty {
        isListing = sections.contains(line) || line.hasSuffix(" SUBCOMMANDS:")
      }
      lines += wrapped(line, isListing: isListing, to: columns)
    }
    return lines.joined(separator: "\n")
  }

  private static func wrapped(_ line: String, isListing: Bool, to columns: Int) -> [String] {
    if line.columnWidth <= columns { return [line] }
    let indent = line.prefix { $0 == " " }.count
    if line.hasPrefix("USAGE: ") { return usage(line, to: columns) }
    if indent == 0 { return line.wrapped(to: columns) }
    if isListing {
      let hang = indent > 2 ? indent : labels
      guard columns >= hang + 20 else { return [line] }
      return hanging(line, at: hang, to: columns)
    }
    return example(line, to: columns)
  }

  /// An option with its words, which go on below their beginning.
  private static func hanging(_ line: String, at column: Int, to columns: Int) -> [String] {
    let label = String(line.prefix(column))
    let words = String(line.dropFirst(column)).wrapped(to: columns - column)
    let margin = String(repeating: " ", count: column)
    return words.enumerated().map { ($0 == 0 ? label : margin) + $1 }
  }

  /// A line that stands as it is written; its second column may go below.
  private static func example(_ line: String, to columns: Int) -> [String] {
    guard let gap = line.ranges(of: "  ").last(where: { $0.lowerBound > firstWord(of: line) })
    else { return [line] }
    let start = line.distance(from: line.startIndex, to: gap.upperBound)
    if start <= columns / 2 { return hanging(line, at: start, to: columns) }
    var first = String(line[..<gap.lowerBound])
    while first.hasSuffix(" ") { first.removeLast() }
    let words = String(line[gap.upperBound...]).wrapped(to: columns - 6)
    return [first] + words.map { "      " + $0 }
  }

  private static func firstWord(of line: String) -> String.Index {
    line.firstIndex { $0 != " " } ?? line.endIndex
  }

  /// A synopsis, broken between its parts.
  private static func usage(_ line: String, to columns: Int) -> [String] {
    var lines: [String] = []
    var depth = 0
    var part = ""
    var parts: [String] = []
    for character in line {
      if character == "[" { depth += 1 }
      if character == "]" { depth -= 1 }
      if character == " ", depth == 0, part != "USAGE:" {
        parts.append(part)
        part = ""
      } else {
        part.append(character)
      }
    }
    for part in parts + [part] {
      if let last = lines.last, last.columnWidth + 1 + part.columnWidth <= columns {
        lines[lines.count - 1] = last + " " + part
      } else {
        lines.append(lines.isEmpty ? part : "         " + part)
      }
    }
    return lines
  }
}
