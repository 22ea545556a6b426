/// What uses what in a tree: the names of types in the code of a file, and the files of the same
/// target that declare types of these names.
struct UseGraph {
  /// A name of a type in the code of one file, which another declares.
  struct Use {
    let user: SwiftFile
    let used: SwiftFile
    let type: String

    /// Whether both files lie in one folder.
    var isInside: Bool { user.folder == used.folder }
  }

  let uses: [Use]

  init(_ files: [SwiftFile]) {
    var homes: [String: [SwiftFile]] = [:]
    for file in files {
      for name in file.declaredTypes { homes[name, default: []].append(file) }
    }
    uses = files.flatMap { file in
      // What a file declares inside its own types, it means.
      file.typeNames.subtracting(file.nestedTypes).sorted().flatMap { name in
        (homes[name] ?? []).filter { $0.path != file.path && $0.target == file.target }
          .map { Use(user: file, used: $0, type: name) }
      }
    }
  }

  /// By target, how many uses stay inside a folder, and how many there are.
  var counts: [String: (inside: Int, all: Int)] {
    Dictionary(grouping: uses, by: \.user.target).mapValues { uses in
      (uses.count(where: \.isInside), uses.count)
    }
  }

  /// The circles of files.
  var fileCircles: [[String]] { circles(of: \.path) }

  /// The circles of folders.
  var folderCircles: [[String]] { circles(of: \.folder) }

  /// What is used of each other in a circle of folders, where least is used first.
  func ties(in circle: [String]) -> [String] {
    let inner = uses.filter {
      !$0.isInside && circle.contains($0.user.folder) && circle.contains($0.used.folder)
    }
    let pairs = Dictionary(grouping: inner) { "\($0.user.folder) -> \($0.used.folder)" }
    return pairs.sorted { ($0.value.count, $0.key) < ($1.value.count, $1.key) }.map { pair, uses in
      "\(pair): \(uses.map { "\($0.user.file.name): \($0.type)" }.sorted().joined(separator: ", "))"
    }
  }

  /// The sets of files, or of folders, that use each other all round: the largest first.
  private func circles(of place: (SwiftFile) -> String) -> [[String]] {
    var edges: [String: Set<String>] = [:]
    for use in uses where place(use.user) != place(use.used) {
      edges[place(use.user), default: []].insert(place(use.used))
    }
    let reach = Dictionary(
      uniqueKeysWithValues: edges.keys.map { ($0, Self.reach(of: $0, over: edges)) })
    // Who is reached by whom it reaches stands in a circle with it.
    let circles = reach.map { place, reached in
      reached.filter { reach[$0]?.contains(place) == true }.sorted()
    }
    return Set(circles.filter { !$0.isEmpty })
      .sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
  }

  /// Everything that is used by something, and by what that uses.
  private static func reach(of start: String, over edges: [String: Set<String>]) -> Set<String> {
    var reached: Set<String> = []
    var waiting = [start]
    while let next = waiting.popLast() {
      for used in edges[next] ?? [] where reached.insert(used).inserted { waiting.append(used) }
    }
    return reached
  }
}

extension SwiftFile {
  /// The folder it lies in, from the root.
  var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }

  /// The names of the types it declares at its top level, private ones apart.
  var declaredTypes: Set<String> {
    let type = #/^((?:[@a-z]\S* )*)(?:class|struct|enum|protocol|typealias|actor) ([A-Z]\w*)/#
    return Set(
      code.compactMap { line in
        line.firstMatch(of: type).flatMap { $0.1.contains("private") ? nil : String($0.2) }
      })
  }

  /// The names of the types it declares inside others.
  var nestedTypes: Set<String> {
    let type = #/^\s+(?:[@a-z]\S* )*(?:class|struct|enum|protocol|typealias|actor) ([A-Z]\w*)/#
    return Set(code.compactMap { $0.firstMatch(of: type).map { String($0.1) } })
  }

  /// The words of its code: keywords, names, numbers.
  var words: [Substring] {
    code.flatMap { $0.utf8.split(whereSeparator: { !$0.isOfAWord }).map { Substring($0) } }
  }

  /// Every word of its code that could name a type.
  var typeNames: Set<String> {
    let names = words.filter { $0.first?.isUppercase == true }
    return Set(names.map(String.init))
  }
}

extension UInt8 {
  /// Whether it may stand in a name: an ASCII letter or digit, or an underscore.
  fileprivate var isOfAWord: Bool {
    (48...57).contains(self) || (65...90).contains(self) || (97...122).contains(self) || self == 95
  }
}
