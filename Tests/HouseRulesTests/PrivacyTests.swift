import Testing

/// Rules that keep what was gathered to its owner (sources P6).
struct PrivacyTests {
  /// What makes files or folders. Calls that take no mode leave it to the process's mask.
  private static var makers: Regex<(Substring, Substring)> {
    #/\b(O_CREAT|mknod|mkdir|mkfifo|mkostemps?|mkstemps?|creat|fopen|freopen|fchmod|chmod)\b/#
  }
  /// Where that may stand in the sources, and why no file with values is made there.
  private static let places: Set = [
    // The doors to files that are written: 0600, folders 0700; a replacement has the mode of the
    // file whose place it takes.
    "Sources/Machine/Files/LiveStorage.swift", "Sources/Machine/Files/LiveEntryFolder.swift",
    "Sources/Machine/Files/PrivateFolder.swift", "Sources/Machine/Storage/Database.swift",
    "Sources/Machine/Files/FolderTree.swift",
    // Makes the trees of tests.
    "Sources/GatheredKitTesting/TemporaryFolder.swift",
    // Silences a library while it is asked: /dev/null.
    "Sources/CLinux/imports.c",
  ]

  @Test func `P6: files are made at few places`() {
    let makers = Self.makers
    let swift = Checkout.sources.flatMap { file in file.places { $0.contains(makers) } }
    let other = Checkout.files.filter { file in
      file.path.hasPrefix("Sources/") && (file.path.hasSuffix(".c") || file.path.hasSuffix(".h"))
    }.flatMap { $0.places { $0.contains(makers) } }
    let found = (swift + other).filter { place in
      !Self.places.contains { place.hasPrefix($0 + ":") }
    }
    #expect(found == [])
    #expect(swift.contains { $0.hasPrefix("Sources/Machine/Files/LiveStorage.swift") })
  }

  @Test func `P6: what they make is for its owner only`() {
    let files = Checkout.sources.filter {
      $0.path != "Sources/GatheredKitTesting/TemporaryFolder.swift"
    }
    // 0o777 is the mask that a mode is looked at through.
    let mode = #/0o[0-7]{3,}/#
    let places = files.flatMap { file in
      file.places { line in
        line.matches(of: mode).contains { !["0o600", "0o700", "0o777"].contains($0.0) }
      }
    }
    #expect(places == [])
  }

  @Test func `P6: what Python writes is for its owner only`() {
    let python = Checkout.files.filter {
      $0.path.hasPrefix("bindings/python/gatheredkit/") && $0.path.hasSuffix(".py")
    }
    let makers = #/(^|[^.\w])open\(|\bos\.open\(|\.write_(text|bytes)\(|\bmkstemp\(/#
    // What has an opener says the mode, and a graph is no recorded value.
    let others = [
      "def open(", "opener=_private", "self.to_json()", "return os.open(path, flags, 0o600)",
    ]
    let found = python.flatMap { file in
      file.places { line in line.contains(makers) && !others.contains { line.contains($0) } }
    }
    #expect(python.count > 0)
    #expect(found == [])
  }
}
