/// The document of a graph in a temporary file.
struct GraphFile {
  private let file: TemporaryFile

  /// Any text, a document or not.
  init(_ text: String) throws { file = try TemporaryFile(Array(text.utf8)) }

  /// Any bytes.
  init(_ bytes: [UInt8]) throws { file = try TemporaryFile(bytes) }

  /// A document of members in JSON, apart from its format and version.
  init(members: String) throws {
    try self.init("{ \"format\": \"gatheredkit.graph\", \"version\": 1,\n\(members) }\n")
  }

  var path: String { file.path }

  /// An example graph of the tree.
  static func example(_ name: String, beside file: String = #filePath) -> String {
    let top = file.split(separator: "/").dropLast(3).map { "/" + $0 }.joined()
    return "\(top)/bindings/graphs/\(name)"
  }
}
