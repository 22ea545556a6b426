import Testing

/// Rules 1, 24 and 25 of the C interface: the header is the source of every other list.
struct DoorTests {
  static let door = Checkout.sources.filter { $0.path.hasPrefix("Sources/GatheredKitC/") }

  /// The functions the header exports, in its order.
  static let declared: [String] = {
    let header = Checkout.text("include/gatheredkit.h")
    let function = #/GKIT_API[^;{(]*?\b(gkit_\w+)\(/#
    return header.replacing(#/\/\*(?s:.*?)\*\//#, with: "").matches(of: function)
      .map { String($0.1) }
  }()

  @Test func `every entry is checked against the header`() {
    let entry = #/^@_cdecl\("(gkit_\w+)"\)\s+@implementation\s+public\s+func\s+(\w+)/#
    let places = Self.door.flatMap { file in
      file.file.places { line in
        guard line.contains("@_cdecl(") else { return false }
        guard let match = line.firstMatch(of: entry) else { return true }
        return match.1 != match.2
      }
    }
    // An attribute and its function may stand on two lines.
    let split = places.filter { !Self.continues($0) }
    #expect(split == [])
  }

  @Test func `each function stands in the version node of the release it came with`() {
    var since = ""
    var came: [String: [String]] = [:]
    let word = #/@since (\d+\.\d+)|GKIT_API[^;{(]*?\b(gkit_\w+)\(/#
    for found in Checkout.text("include/gatheredkit.h").matches(of: word) {
      if let release = found.1 { since = String(release) }
      if let name = found.2 { came[since, default: []].append(String(name)) }
    }
    let node = #/GATHEREDKIT_(\d+\.\d+) \{([^}]*)\}/#
    let nodes = Checkout.text("Sources/GatheredKitLibrary/gatheredkit.map").matches(of: node)
      .map { found in
        (String(found.1), found.2.matches(of: #/(gkit_\w+);/#).map { String($0.1) })
      }
    #expect(came.count > 1)
    #expect(Dictionary(uniqueKeysWithValues: nodes) == came)
  }

  @Test func `only the C door has entries`() {
    let files = Checkout.sources.filter { !$0.path.hasPrefix("Sources/GatheredKitC/") }
    #expect(files.flatMap { file in file.places { $0.contains("@_cdecl(") } } == [])
  }

  @Test func `the header, the version script and the entries name the same functions`() {
    let map = Checkout.text("Sources/GatheredKitLibrary/gatheredkit.map")
      .matches(of: #/\n\s+(gkit_\w+);/#).map { String($0.1) }
    let entries = Self.door.flatMap { file in
      file.file.text.matches(of: #/@_cdecl\("(\w+)"\)/#).map { String($0.1) }
    }
    #expect(Self.declared.count > 0)
    #expect(map.sorted() == Self.declared.sorted())
    #expect(entries.sorted() == Self.declared.sorted())
  }

  @Test func `the header needs three standard headers only`() {
    let includes = Checkout.text("include/gatheredkit.h")
      .matches(of: #/\n#\s*include (<[^>]+>)/#).map { String($0.1) }
    #expect(Set(includes).isSubset(of: ["<stdbool.h>", "<stddef.h>", "<stdint.h>"]))
  }

  @Test func `the header lists the words that tell what failed in a patch`() throws {
    let words = Checkout.text("Sources/Patches/PatchError.swift")
      .matches(of: #/case \.\w+: "(\w+)"\n/#).map { String($0.1) }
    let manual =
      Checkout.text("include/gatheredkit.h")
      .split(separator: "/**").first { $0.contains("gkit_patch_errors(gkit_patch") } ?? ""
    #expect(words.count > 8)
    #expect(words.filter { !manual.contains("\"\($0)\"") } == [])
  }

  private static func continues(_ place: String) -> Bool {
    let parts = place.split(separator: ":")
    guard let file = door.first(where: { $0.path == parts[0] }), let line = Int(parts[1]) else {
      return false
    }
    let text = file.file.lines[(line - 1)...].prefix(4).joined(separator: " ")
    let entry = #/^@_cdecl\("(gkit_\w+)"\)\s+@implementation\s+public\s+func\s+(\w+)/#
    guard let match = text.firstMatch(of: entry) else { return false }
    return match.1 == match.2
  }
}
