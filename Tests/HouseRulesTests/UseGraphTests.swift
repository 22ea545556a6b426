import Testing

/// The folders of a target do not depend on each other both ways: each can be read without the ones
/// that use it.
struct UseGraphTests {
  /// What uses what: the names of types in the code of a file, and the folders of one target where
  /// types of these names are declared.
  struct Graph {
    /// By pair of folders, what is used of the second in the first, as `File: Type`.
    private(set) var uses: [Pair: [String]] = [:]
    /// By target, how many uses stay inside a folder, and how many there are.
    private(set) var counts: [String: (inside: Int, all: Int)] = [:]

    struct Pair: Hashable {
      let user: String
      let used: String
    }

    init(_ files: [SwiftFile]) {
      var homes: [String: [SwiftFile]] = [:]
      for file in files {
        for name in file.declaredTypes { homes[name, default: []].append(file) }
      }
      for file in files {
        let own = file.nestedTypes
        for name in file.typeNames.subtracting(own) {
          for home in homes[name] ?? [] where home.path != file.path && home.target == file.target {
            let isInside = home.folder == file.folder
            counts[file.target, default: (0, 0)].all += 1
            counts[file.target, default: (0, 0)].inside += isInside ? 1 : 0
            guard !isInside else { continue }
            uses[Pair(user: file.folder, used: home.folder), default: []]
              .append("\(file.file.name): \(name)")
          }
        }
      }
    }

    /// The pairs of folders that use each other, with what the side that uses less uses.
    var circles: [String] {
      uses.keys.sorted { ($0.user, $0.used) < ($1.user, $1.used) }.compactMap { pair in
        guard let there = uses[pair], let back = uses[Pair(user: pair.used, used: pair.user)],
          there.count < back.count || (there.count == back.count && pair.user < pair.used)
        else { return nil }
        return "\(pair.user) -> \(pair.used): \(there.sorted().joined(separator: ", "))"
      }
    }
  }

  @Test func `no two folders of a target use each other`() {
    let graph = Graph(Checkout.sources)
    for (target, count) in graph.counts.sorted(by: { $0.key < $1.key }) {
      print("\(target): \(count.inside) of \(count.all) uses stay inside a folder")
    }
    #expect(graph.counts.count > 5)
    #expect(graph.circles == [])
  }

  @Test func `folders that use each other are found`() {
    let files = [
      ("Sources/One/A/Left.swift", "struct Left { var right: Right }"),
      ("Sources/One/B/Right.swift", "enum Right {}\nextension Left {}"),
      ("Sources/One/C/Above.swift", "struct Above {\n  enum Left {}\n  let a: Left, b: Right\n}"),
      ("Sources/Two/A/Other.swift", "struct Other { let above: Above }"),
    ].map { SwiftFile(TextFile(path: $0.0, text: $0.1)) }
    let graph = Graph(files)
    #expect(graph.circles == ["Sources/One/A -> Sources/One/B: Left: Right"])
    #expect(graph.counts["One"]?.all == 3 && graph.counts["Two"] == nil)
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
