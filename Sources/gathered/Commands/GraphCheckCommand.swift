import ArgumentParser
import Gathering
import Patches
import Values

/// `gathered graph check`: all that is wrong with a document.
struct GraphCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Tell all that is wrong with the document of a graph.",
    discussion: """
      Each problem is one line, 'file: pointer: code: sentence': the JSON pointer says where it \
      is, the code what kind of problem, and where a name is wrong the nearest known one is given. \
      A document that is not JSON, and a member that does not belong, are told with line and \
      column. Nothing is built, and no device is opened.

      The exit code is 0 for a sound document and 1 for one with problems.

      EXAMPLES
        gathered graph check alarms.json
        gathered graph check alarms.json --json | jq -r '.[].pointer'
      """)

  @OptionGroup var options: ContextOptions

  @Flag(help: "Print one JSON array of objects: {code, pointer, message, nearest?}.")
  var json = false

  @Argument(help: "The document; - is standard input.")
  var file: String

  func run() throws {
    let document = try DocumentFile(at: file)
    let problems = try options.withContext(mode: .host) { context in
      Graph.problems(in: document.bytes, context.patchCatalogue)
    }
    if json {
      let rows = problems.map { Value.dictionary($0.dictionary) }
      try StandardOutput.write(rows.jsonRows())
    } else {
      let lines = problems.map { document.line(of: $0) }
      let sound = ["\(document.name.printable): sound"]
      try StandardOutput.write((lines.isEmpty ? sound : lines).joined(separator: "\n") + "\n")
    }
    if !problems.isEmpty { throw CommandFailure(document.summary(of: problems)) }
  }
}
