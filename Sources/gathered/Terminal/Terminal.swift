import Glibc

/// The kind of standard output: a terminal of some size and abilities, or a pipe or file.
struct Terminal {
  /// Whether it is a terminal, and not a dumb one.
  let isInteractive: Bool
  /// Whether colours may be used.
  let hasColour: Bool
  /// The characters it has for drawings.
  let glyphs: Glyphs

  /// The terminal of this process.
  static let current = Terminal()

  private init() {
    let kind = Self.variable("TERM")
    isInteractive = isatty(STDOUT_FILENO) == 1 && kind != "dumb"
    hasColour = isInteractive && Self.variable("NO_COLOR").isEmpty
    glyphs = kind == "linux" || !Self.hasUnicode ? .ascii : .unicode
  }

  /// Columns and rows now; 80 by 24 where they are not known.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard isInteractive, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return (80, 24) }
    return (
      size.ws_col > 0 ? Int(size.ws_col) : 80, size.ws_row > 0 ? Int(size.ws_row) : 24
    )
  }

  /// The width a table may take: without limit in a pipe.
  var width: Int? { isInteractive ? size.columns : nil }

  /// A text in a style, where there is colour.
  func styled(_ text: String, _ style: Style) -> String {
    guard hasColour, let code = style.code, !text.isEmpty else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  /// Whether the locale has Unicode; where none is set the terminal decides, and terminals have.
  private static var hasUnicode: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable).first { !$0.isEmpty } ?? "UTF-8"
    return locale.uppercased().filter { $0 != "-" }.contains("UTF8")
  }

  private static func variable(_ name: String) -> String {
    guard let value = getenv(name) else { return "" }
    return String(cString: value)
  }
}

/// How a text stands out.
enum Style {
  case plain, heading, dimmed, good, warning, bad
  /// What a person has chosen, what has just changed, and drawings.
  case chosen, changed, bar, curve

  /// The numbers of the SGR sequence.
  var code: String? {
    switch self {
    case .plain: nil
    case .heading: "1"
    case .dimmed: "2"
    case .good, .bar: "32"
    case .warning: "33"
    case .bad: "31"
    case .chosen: "1;34"
    case .changed: "1;36"
    case .curve: "36"
    }
  }
}
