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
