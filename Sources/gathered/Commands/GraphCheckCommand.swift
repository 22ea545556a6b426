import ArgumentParser
import CommandOptions
import Gathering
import Patches
import Values

/// `gathered graph check`: all that is wrong with a document.
struct GraphCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "List all problems in the document of a graph.",
    discussion: """
      Prints one line per problem, 'file: pointer: code: sentence': the JSON pointer shows the \
      place, the code the kind of problem; for an unknown name the nearest known one follows. \
      Malformed JSON and unknown members are reported with line and column. The graph is not \
      built, and no device is opened.

      The exit code is 0 for a document without problems and 1 for one with problems.

      EXAMPLES
        gathered graph check alarms.json
        gathered graph check alarms.json --json | jq -r '.[].pointer'
      """)

  @OptionGroup var options: ContextOptions

  @Flag(help: "Print one JSON array of objects: {code, pointer, message, nearest?}.")
  var json = false

  @Argument(help: "The document; - is standard input.", completion: .file(extensions: ["json"]))
  var file: String

  func run() throws {
    let document = try DocumentFile.named(file)
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
