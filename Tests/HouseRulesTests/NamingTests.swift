import Testing

/// Rules 1, 8 and 11: names of concepts, and of tests.
struct NamingTests {
  @Test func `nothing is called after what it helps with`() {
    let vague = #/(Utils?|Utilit(y|ies)|Helpers?|Managers?|Misc|Common)$|^Base[A-Z]/#
    let files = Checkout.files.filter { $0.name.contains(vague) }.map(\.path)
    let declared = Self.declaration
    let types = (Checkout.sources + Checkout.tests).flatMap { file in
      file.places { $0.firstMatch(of: declared)?.1.contains(vague) == true }
    }
    #expect(files + types == [])
  }

  @Test func `no two targets have a type of the same name`() {
    var targets: [String: Set<String>] = [:]
    let declared = Self.declaration
    for file in Checkout.sources {
      // Only what stands at the top of a file begins in its first column.
      for line in file.code where !line.hasPrefix(" ") && !line.contains("private ") {
        guard let type = line.firstMatch(of: declared)?.1 else { continue }
        targets[String(type), default: []].insert(file.target)
      }
    }
    let shared = targets.filter { $0.value.count > 1 }
    #expect(shared.map { "\($0.key): \($0.value.sorted().joined(separator: ", "))" } == [])
    #expect(targets.count > 500)
  }

  @Test func `a file named Type+X adapts a type of another target, or simulates a kind`() {
    #expect(Self.parts(of: Checkout.sources) == [])
  }

  @Test func `files that are parts of a type are found`() {
    let files = [
      ("Sources/One/A.swift", "struct A {}"), ("Sources/One/A+Bytes.swift", "extension A {}"),
      ("Sources/Two/A+Text.swift", "extension A {}"),
      ("Sources/Two/B.swift", "struct B {}"), ("Sources/Two/B+A.swift", "extension B {}"),
      ("Sources/Two/Array+Text.swift", "extension Array {}"),
      ("Sources/SourceKinds/Heat/Fan.swift", "struct Fan {}"),
      ("Sources/SourceKinds/Heat/Fan+Simulated.swift", "extension Fan {}"),
      ("Sources/SourceKinds/Heat/Fan+Bytes.swift", "extension Fan {}"),
      ("Sources/Patches/Patch.swift", "class Patch {}"),
      ("Sources/Patches/Patch+Wires.swift", "extension Patch {}"),
    ].map { SwiftFile(TextFile(path: $0.0, text: $0.1)) }
    #expect(
      Self.parts(of: files) == [
        "Sources/One/A+Bytes.swift", "Sources/SourceKinds/Heat/Fan+Bytes.swift",
      ])
  }

  /// The files that are no more than a part of a type of their target. A part with a task of its
  /// own is a type, or a file named for what it holds.
  private static func parts(of files: [SwiftFile]) -> [String] {
    // Parts of the engine: contexts, sources and patches are single objects with a lock each, and
    // too much is decided under it for one file.
    let engine = ["Sources/Gathering/", "Sources/Patches/"]
    var targets: [String: String] = [:]
    for file in files {
      for name in file.declaredTypes { targets[name] = file.target }
    }
    return files.filter { file in
      let names = file.file.name.split(separator: "+").map(String.init)
      guard names.count == 2, !engine.contains(where: file.path.hasPrefix) else { return false }
      // Between two types, one of which comes from another target.
      let isAdapter =
        targets[names[0]] != file.target || targets[names[1]].map { $0 != file.target } == true
      let isSimulation = file.target == "SourceKinds" && names[1] == "Simulated"
      return !isAdapter && !isSimulation
    }.map(\.path)
  }

  @Test func `what checkers are told to forgive is in the sources`() {
    let names = Set(
      Checkout.sources.flatMap { file in file.words + [Substring(file.target)] })
    let rules = Checkout.text("bindings/c/tests/valgrind.supp")
    // A mangled name has each identifier behind its length: `7Streams`.
    let mangled = rules.matches(of: #/fun:\*\w*?(\d+[A-Z]\w*)\*/#).map { String($0.1) }
    let named = mangled.flatMap(Self.identifiers)
    #expect(named.filter { !names.contains($0[...]) } == [])
    #expect(named.count >= 4)
    let files = Checkout.text(".ci/thread-sanitizer.supp").matches(of: #/race:(\S+\.swift)/#)
    for file in files { #expect(Checkout.sources.contains { $0.path.hasSuffix("/\(file.1)") }) }
    #expect(files.count > 0)
  }

  /// `Streams` and `Broadcaster` of `7Streams11BroadcasterC5drain`.
  private static func identifiers(of mangled: String) -> [String] {
    var rest = mangled[...]
    var found: [String] = []
    while let number = rest.firstMatch(of: #/\d+/#) {
      let tail = rest[number.range.upperBound...]
      guard let length = Int(number.0), length <= tail.count else { break }
      found.append(String(tail.prefix(length)))
      rest = tail.dropFirst(length)
    }
    return found
  }

  @Test func `classes are final`() {
    let open = #/\bclass [A-Z]/#
    let places = (Checkout.sources + Checkout.tests).flatMap { file in
      file.places { $0.contains(open) && !$0.contains("final ") }
    }
    // The handles of the C door share a life cycle: one class, subclassed in its own target.
    #expect(places.filter { !$0.hasPrefix("Sources/GatheredKitC/Handle") } == [])
  }

  @Test func `the names of tests are sentences`() {
    let name = #/func `[^`]+ [^`]+ [^`]+[^.`]`/#
    let attribute = Self.testAttribute
    let places = Checkout.tests.flatMap { file in
      file.file.lines.indices.filter { file.code[$0].contains(attribute) }.filter { line in
        // Arguments may stand between the attribute and the function.
        let rest = file.file.lines[line...]
        let declaration = rest.first { $0.contains("func ") } ?? ""
        return !declaration.contains(name)
      }.map { "\(file.path):\($0 + 1)" }
    }
    #expect(places == [])
  }

  @Test func `files of tests are named for what they test`() {
    let attribute = Self.testAttribute
    let files = Checkout.tests.filter { file in
      let hasTests = file.code.contains { $0.contains(attribute) }
      return hasTests != file.file.name.hasSuffix("Tests")
    }
    #expect(files.map(\.path) == [])
  }

  // A literal is read anew each time it is evaluated: outside of loops, once.
  private static var declaration: Regex<(Substring, Substring)> {
    #/\b(?:struct|class|enum|protocol|actor|typealias) (\w+)/#
  }
  private static var testAttribute: Regex<Substring> { #/^\s*@Test\b/# }
}
