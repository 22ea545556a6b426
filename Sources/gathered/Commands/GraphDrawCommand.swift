import ArgumentParser
import CommandOptions
import GatheredKit
import Gathering
import Patches

/// `gathered graph draw`: a graph as text that other tools draw.
struct GraphDrawCommand: ParsableCommand {
  /// The output format.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case dot, mermaid
  }

  static let configuration = CommandConfiguration(
    commandName: "draw",
    abstract: "Draw a graph as text for Graphviz or Mermaid.",
    discussion: """
      Each patch is a node with its name and type, each wire an edge with its ports. Feedback \
      wires are dashed. The same document always gives the same text. Nothing is started.

      EXAMPLES
        gathered graph draw tap.json | dot -Tsvg > tap.svg
        gathered graph draw tap.json --format mermaid
      """)

  @Option(help: "dot for Graphviz, mermaid for Mermaid.")
  var format = Format.dot

  @Argument(help: "The document; - is standard input.", completion: .file(extensions: ["json"]))
  var file: String

  func run() throws {
    let document = try DocumentFile.named(file)
    // Patches start their sources: they are made where there are none to start.
    let context = try Context.open("sim:empty&clock=manual", mode: .host)
    defer { try? context.close() }
    let graph = try document.load(in: context)
    switch format {
    case .dot: try StandardOutput.write(graph.dot())
    case .mermaid: try StandardOutput.write(graph.mermaid())
    }
  }
}
