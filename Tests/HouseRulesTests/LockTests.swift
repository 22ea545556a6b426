import Testing

/// C API 27: one lock in the tree, and nothing with a deinit of its own freed under it.
struct LockTests {
  @Test func `there is one lock, and it stands in the ground`() {
    let others =
      #/\bMutex\b|pthread_(mutex|cond|rwlock|spin)|\bNSLock|\bos_unfair|futex\(|sem_wait|mtx_/#
    let paths = ["Sources/CLinux/locks.c"]
    let files = Checkout.files.filter { file in
      let isCode = [".swift", ".c", ".h"].contains { file.path.hasSuffix($0) }
      return isCode && file.path.hasPrefix("Sources/") && !paths.contains(file.path)
    }
    #expect(files.flatMap { file in file.places { $0.contains(others) } } == [])
  }

  @Test func `what a locked body takes out it hands out`() {
    #expect(Checkout.sources.flatMap(Self.dropped) == [])
  }

  @Test(arguments: [
    "state.withLock { $0.action = nil }",
    "state.withLock { state in\n  state.jobs.removeFirst()\n  state.count += 1\n}",
    "queue.withLock { _ = $0.names.removeValue(forKey: key) }",
  ])
  func `a body that drops something is found`(text: String) {
    let lines = text.split(separator: "\n").map(String.init)
    #expect(!Self.dropped(in: lines, plain: []).isEmpty)
  }

  @Test(arguments: [
    "let a = state.withLock { state in\n  defer { state.a = nil }\n  return state.a\n}",
    "let all = state.withLock { state in\n  defer { state.a = nil }\n  return state\n}",
    "state.withLock { $0.names.removeValue(forKey: key) }",
    "state.withLock { $0.isOpen = false }",
  ])
  func `a body that hands it out is not`(text: String) {
    let lines = text.split(separator: "\n").map(String.init)
    #expect(Self.dropped(in: lines, plain: []).isEmpty)
  }

  // MARK: Reading the bodies

  private static func dropped(in file: SwiftFile) -> [String] {
    let plain = plainMembers[file.target] ?? []
    return dropped(in: file.code, plain: plain).filter { !isNoted(at: $0, in: file) }
      .map { "\(file.path):\($0 + 1)" }
  }

  /// The lines that empty a member or take something out of one, in a body that says its name
  /// nowhere else, and so cannot hand it out.
  private static func dropped(in code: [String], plain: Set<String>) -> [Int] {
    bodies(of: code).flatMap { lines in
      lines.filter { line in
        guard let (member, isAnswer) = dropped(by: code[line]) else { return false }
        if plain.contains(member) || (isAnswer && line == lines.dropLast().last ?? line) {
          return false
        }
        let handsAllOut = lines.contains { code[$0].contains(#/return \(?state\b(?!\.)/#) }
        let mentions = lines.reduce(0) { count, each in
          let words = code[each].split { !($0.isLetter || $0.isNumber || $0 == "_") }
          return count + words.count { $0 == member }
        }
        return !handsAllOut && mentions < 2
      }
    }
  }

  /// The member a line empties or takes something out of, and whether what it takes out may be the
  /// answer of the body.
  private static func dropped(by line: String) -> (member: String, isAnswer: Bool)? {
    let emptied = #/(\w+)(?:\[[^\]]*\])?\)? = (?:nil|\[\]|\[:\])(?:\s|\}|$)/#
    if let found = line.firstMatch(of: emptied) { return (String(found.1), false) }
    let taken = #/(\w+)\.remove(All|First|Last|Value|Subrange)\(/#
    guard let found = line.firstMatch(of: taken) else { return nil }
    if line.contains(#/^ *(?:let|var|return|guard|if|while)\b/#) { return nil }
    let inBody = line.firstRange(of: "withLock").map { line[$0.upperBound...] } ?? line[...]
    let isThrownAway = found.2 == "All" || found.2 == "Subrange" || inBody.contains("_ = ")
    return (String(found.1), !isThrownAway)
  }

  /// The lines from each `withLock` to the brace that closes its body.
  private static func bodies(of code: [String]) -> [[Int]] {
    code.indices.compactMap { first in
      guard let call = code[first].firstRange(of: "withLock") else { return nil }
      var depth = 0
      for index in first..<code.count {
        let text = index == first ? code[index][call.upperBound...] : code[index][...]
        for character in text {
          if character == "{" { depth += 1 }
          if character == "}" { depth -= 1 }
          if character == "}" && depth <= 0 { return Array(first...index) }
        }
        if depth == 0 { return nil }
      }
      return nil
    }
  }

  /// By target, the members of types that have nothing to free.
  private static let plainMembers: [String: Set<String>] = {
    let declared = #/\b(?:var|let) (\w+): (?:Set<)?(?:U?Int\d*|Bool|Double|String)[?>]?\??(?:\s|$)/#
    var plain: [String: Set<String>] = [:]
    for file in Checkout.sources {
      let names = file.code.compactMap { $0.firstMatch(of: declared).map { String($0.1) } }
      plain[file.target, default: []].formUnion(names)
    }
    return plain
  }()

  /// Whether the line, or the comment above it, says who holds what is dropped.
  private static func isNoted(at line: Int, in file: SwiftFile) -> Bool {
    file.file.lines[max(0, line - 2)...line].contains {
      $0.contains(#/\/\/.*\b(holds?|[Pp]lain)\b/#)
    }
  }
}
