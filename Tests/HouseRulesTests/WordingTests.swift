import Testing

/// Rules 9 and 14: nothing unfinished, nothing that can trap, nothing the compiler cannot check.
struct WordingTests {
  /// The types that may hold what the compiler cannot check, next to a comment that proves it safe:
  /// each in the file of its name. The door to C may as a whole.
  static let unchecked = [
    "Block", "Cell", "Claimed", "FanOut", "LentText", "Libiio", "Listener", "ListenerList", "Lock",
    "RemoteSnapshot", "RowBlock", "ScanCapture", "SecretServiceCall", "SessionState",
    "SharedLibrary", "ShownRows", "UdevSocket",
  ]

  static func isUnchecked(_ path: String) -> Bool {
    path.hasPrefix("Sources/GatheredKitC/")
      || ["Ground", "Machine", "Gathering"].contains(path.split(separator: "/")[1])
        && unchecked.contains { path.hasSuffix("/\($0).swift") }
  }

  static let checkedSources = Checkout.sources.filter { !isUnchecked($0.path) }

  @Test func `nothing is left to be done`() {
    let words = #/\b(TODO|FIXME|XXX|HACK|TBD|WIP)\b|not (yet )?implemented|[Uu]nimplemented/#
    let spoken = #/"[^"]*not implemented[^"]*"|NOT_IMPLEMENTED|not_implemented/#
    let files = Checkout.files.filter { !$0.path.hasPrefix("Tests/HouseRulesTests/") }
    let places = files.flatMap { file in
      file.places { $0.contains(words) && !$0.contains(spoken) }
    }
    #expect(places == [])
  }

  @Test func `a sentence names its subject`() {
    let riddles = #/(?i)\b(nobody|somebody|whoever|anybody|everybody)\b/#
    let folders = ["Sources/", "Tests/", "include/", "bindings/", ".ci/"]
    let pages = ["README.md", "CHANGELOG.md"]
    let places = Checkout.files.filter { file in
      !file.path.hasPrefix("Tests/HouseRulesTests/")
        && (pages.contains(file.path) || folders.contains { file.path.hasPrefix($0) })
    }.flatMap { file in
      // A key that no entry has.
      file.places { !$0.contains("\"nobody\"") && $0.contains(riddles) }
    }
    #expect(places == [])
  }

  @Test func `nothing traps on purpose`() {
    let traps = #/\b(fatalError|abort|exit|assertionFailure|preconditionFailure)\(/#
    let files = Checkout.sources.filter { $0.target != "gathered" }
    #expect(files.flatMap { $0.places { $0.contains(traps) } } == [])
  }

  @Test func `nothing is forced`() {
    let forced = #/\b(try|as)!|[\w\)\]>?]!(?!=)/#
    #expect(Self.checkedSources.flatMap { $0.places { $0.contains(forced) } } == [])
  }

  @Test func `nothing escapes the checks of concurrency`() {
    let escapes = #/@unchecked|nonisolated\(unsafe\)|@preconcurrency|unsafeBitCast/#
    #expect(Self.checkedSources.flatMap { $0.places { $0.contains(escapes) } } == [])
  }

  @Test func `what escapes the checks says why it may`() {
    let escapes = #/@unchecked|nonisolated\(unsafe\)/#
    let files = Checkout.sources.filter { Self.isUnchecked($0.path) }
    let places = files.flatMap { file in
      file.code.indices.filter { file.code[$0].contains(escapes) }.filter { line in
        !file.file.lines[max(0, line - 6)...line].contains { $0.contains("//") }
      }.map { "\(file.path):\($0 + 1)" }
    }
    #expect(places == [])
  }

  @Test func `A4 what remembers a refusal forgets it for a caller that asks`() {
    let memory = #/\b30_000_000_000\b/#
    let forgets = #/lookAnew|retry\(|forgetStreamRefusal|callers\.looks/#
    // How long gpsd may take to open its devices is no refusal.
    let holders = Checkout.sources.filter { file in
      ["Machine", "Gathering", "SourceKinds"].contains(file.target)
        && file.code.contains { $0.contains(memory) && !$0.contains("diligence") }
    }
    #expect(
      holders.filter { file in !file.code.contains { $0.contains(forgets) } }.map(\.path) == [])
    #expect(holders.count >= 4)
    // A library that is missing is looked for again: only `LibraryTable` keeps what came of a look.
    let kept = #/Result<.*MissingLibrary>/#
    let keepers = Checkout.sources.filter { file in file.code.contains { $0.contains(kept) } }
    #expect(keepers.map(\.path) == ["Sources/Machine/Libraries/LibraryTable.swift"])
  }

  /// Tables that the linker leaves out of the library: Sources/CLinux/unicode.c.
  @Test func `the library asks for no table of Unicode that it does not have`() {
    let asks = #/\.is(Alphabetic|Cased|Letter|Lowercase|Punctuation|Uppercase|Whitespace)\b/#
    let wants = #/\.(is\w*Symbol|generalCategory|numericValue|wholeNumberValue)\b/#
    let others = ["CommandOptions", "Serving", "GatheredKitTesting"]
    let files = Checkout.sources.filter { file in
      !file.target.hasPrefix("gathered") && !others.contains(file.target)
    }
    #expect(files.flatMap { $0.places { $0.contains(asks) || $0.contains(wants) } } == [])
    #expect("if last.isPunctuation {".contains(asks))
  }

  @Test func `no path and no registry of a machine is written down`() {
    let paths = #/(^|[\s"'=(:`])/(root|work|opt/swift|Users|home/\w+)/|pypi\.org|index-url/#
    let files = Checkout.files.filter { !$0.path.hasPrefix("Tests/") && $0.path != "README.md" }
    #expect(files.flatMap { $0.places { $0.contains(paths) } } == [])
  }
}
