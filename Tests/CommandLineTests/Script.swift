/// A scripted device in a temporary file.
struct Script {
  private let file: TemporaryFile

  init(_ text: String) throws { file = try TemporaryFile(Array(text.utf8)) }

  var path: String { file.path }

  /// The context on it, with a clock that only the program moves.
  var context: String { "sim:file=\(path)&clock=manual" }
}
