import ArgumentParser
import Gathering
import Ground
import Patches
import Values

/// `gathered graph types`: lists the types of patches.
struct GraphTypesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "types",
    abstract: "List the types of patches, their ports and options.",
    discussion: """
      Ports are shown as 'name:hint', without a hint if the port takes any value; options as \
      'name:hint=default'. Each option is also an input of the same name, unless it is marked °, \
      which means fixed at creation. Ports that depend on the options are shown as '…'.

      EXAMPLES
        gathered graph types
        gathered graph types --json | jq -r '.[].type'
      """)

  @Flag(help: "Print one JSON array of objects: {type, summary, inputs?, outputs?, options?}.")
  var json = false

  func run() throws {
    let types = PatchCatalogue().description
    if json { return try StandardOutput.write(types.jsonRows()) }
    var table = Table([
      Table.Column(heading: "TYPE"), Table.Column(heading: "INPUTS"),
      Table.Column(heading: "OUTPUTS"), Table.Column(heading: "OPTIONS"),
    ])
    for type in types {
      guard case .dictionary(let row) = type else { continue }
      table.add([
        Table.Cell(row["type"]?.text ?? "", .heading), Table.Cell(Self.words(row["inputs"])),
        Table.Cell(Self.words(row["outputs"])), Table.Cell(Self.words(row["options"])),
      ])
      table.addNote(Table.Cell(row["summary"]?.text ?? "", .dimmed), below: 1)
    }
    try StandardOutput.write(table.lines(on: .current).joined(separator: "\n") + "\n")
  }

  /// The ports or options of a list; `…` if only a patch that was made has them.
  private static func words(_ list: Value?) -> String {
    guard case .list(let items) = list else { return "…" }
    return items.map(word).joined(separator: " ")
  }

  private static func word(_ item: Value) -> String {
    guard case .dictionary(let port) = item else { return "" }
    let hint = port["hint"]?.text ?? ""
    var word = port["name"]?.text ?? ""
    if port["fixed"] == .bool(true) { word += "°" }
    if hint != "any" { word += ":\(hint)" }
    if let standard = port["default"] { word += "=\(standard.formatted().quotedIfNeeded)" }
    return word
  }
}
