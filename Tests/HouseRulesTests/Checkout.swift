import FoundationEssentials

/// The files of this project as text, found from where this file was compiled.
enum Checkout {
  /// The folder that holds Package.swift, with a slash at its end.
  static let root: String = {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/") + "/"
  }()

  /// The names at the top.
  static let top: [String] = entries(of: "").sorted()

  /// Every text file people wrote, by its path from the root.
  static let files: [TextFile] = paths(below: "").compactMap(TextFile.init)

  /// The Swift files of the library, the command and their doors.
  static let sources: [SwiftFile] = swiftFiles("Sources/")

  /// The Swift files of the tests, apart from these.
  static let tests: [SwiftFile] = swiftFiles("Tests/").filter {
    !$0.path.hasPrefix("Tests/HouseRulesTests/")
  }

  /// The text of one file; "" if there is none, which no rule accepts.
  static func text(_ path: String) -> String {
    files.first { $0.path == path }?.text ?? ""
  }

  /// What a folder holds, given by its path from the root.
  static func entries(of folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []
  }

  private static func swiftFiles(_ folder: String) -> [SwiftFile] {
    files.filter { $0.path.hasPrefix(folder) && $0.path.hasSuffix(".swift") }
      .map(SwiftFile.init)
  }

  /// Captured machines hold what kernels wrote; the other folders are built, not written.
  private static let foreign: Set = [
    ".git", "__pycache__", "dist", "build", "_lib", "machines", "Corpus", "Package.resolved",
  ]

  private static func paths(below folder: String) -> [String] {
    entries(of: folder).sorted().flatMap { name -> [String] in
      if foreign.contains(name) || name.hasPrefix(".build") || name.hasSuffix(".egg-info") {
        return []
      }
      var isFolder = false
      let path = folder + name
      guard FileManager.default.fileExists(atPath: root + path, isDirectory: &isFolder) else {
        return []
      }
      return isFolder ? paths(below: path + "/") : [path]
    }
  }
}

/// A file, and its lines.
struct TextFile {
  let path: String
  let text: String
  let lines: [Substring]

  /// Reads a file; nil if it is not text.
  init?(_ path: String) {
    guard let text = try? String(contentsOfFile: Checkout.root + path, encoding: .utf8) else {
      return nil
    }
    self.init(path: path, text: text)
  }

  /// A file that may not be there.
  init(path: String, text: String) {
    self.path = path
    self.text = text
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The last part of the path, without its ending.
  var name: String {
    let file = path.split(separator: "/").last ?? ""
    return String(file.prefix { $0 != "." })
  }

  /// `path:line` of every line of which something holds.
  func places(where holds: (Substring) -> Bool) -> [String] {
    zip(1..., lines).filter { holds($0.1) }.map { "\(path):\($0.0)" }
  }
}

/// A Swift file, and its lines of code: comments and the insides of strings are blank.
struct SwiftFile {
  let file: TextFile
  let code: [String]

  init(_ file: TextFile) {
    self.file = file
    code = CodeText.lines(of: file.text)
  }

  var path: String { file.path }

  /// The folder below Sources or Tests: the target.
  var target: String { String(path.split(separator: "/").dropFirst().first ?? "") }

  /// `path:line` of every line of code of which something holds.
  func places(where holds: (String) -> Bool) -> [String] {
    zip(1..., code).filter { holds($0.1) }.map { "\(path):\($0.0)" }
  }
}
