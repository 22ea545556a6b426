import Testing

/// The tree, and that tests mirror it (rule 11).
struct TreeTests {
  @Test func `the top holds what the plan names`() {
    let plan: Set = [
      "Package.swift", "Package.resolved", "Sources", "Tests", "include", "bindings", "README.md",
      "Makefile", "LICENSE", "CHANGELOG.md",
    ]
    let others = Checkout.top.filter { !$0.hasPrefix(".") && !plan.contains($0) }
    #expect(others == [])
  }

  @Test func `tests mirror the folders of the sources`() {
    let folders = Set(Checkout.sources.map { Self.folder($0.path) })
    // The command is tested as its users meet it, by a target that runs it; a recorder that is
    // killed is a program of its own.
    let beside: Set = [
      "CommandLineTests", "HouseRulesTests", "Fuzz", "Benchmarks", "VirtualHardware", "Fixtures",
    ]
    // What every kind and context must obey belongs to no one file.
    let laws = "Tests/GatheringTests/Laws/"
    let mirroring = Checkout.tests.filter {
      !beside.contains($0.target) && !$0.path.hasPrefix(laws)
    }
    let others = mirroring.map(\.path).filter { path in
      let mirrored = Self.folder(path).replacing("Tests/", with: "Sources/", maxReplacements: 1)
        .replacing(#/^(Sources\/\w+)Tests/#) { $0.1 }
      return !folders.contains(mirrored)
    }
    #expect(others == [])
  }

  @Test func `every target with logic has tests`() {
    // Doors are tested from outside, the rest says nothing of its own.
    let beside: Set = [
      "CLinux", "GatheredKit", "GatheredKitC", "GatheredKitLibrary", "GatheredKitTesting",
      "gathered", "gathered-serve", "CPage", "CommandOptions",
    ]
    let targets = Set(Checkout.sources.map(\.target)).subtracting(beside)
    let tested = Set(Checkout.tests.map { $0.target.replacing(#/Tests$/#, with: "") })
    #expect(targets.subtracting(tested) == [])
  }

  @Test func `every kind of the catalogue has a file and a test of its name`() {
    let catalogue = Checkout.text("Sources/SourceKinds/SourceCatalogue.swift")
    let kinds = catalogue.matches(of: #/\n\s+([A-Z]\w+)\(\),/#).map { String($0.1) }
    // Each in the room of its subject.
    let files = Set(
      Checkout.files.map { file in
        let parts = file.path.split(separator: "/")
        return "\(parts[0])/\(parts[parts.count == 4 ? 1 : 0])/\(parts[parts.count - 1])"
      })
    let missing = kinds.flatMap {
      ["Sources/SourceKinds/\($0).swift", "Tests/SourceKindsTests/\($0)Tests.swift"]
    }.filter { !files.contains($0) }
    #expect(kinds.count > 0)
    #expect(missing == [])
  }

  private static func folder(_ path: String) -> String {
    path.split(separator: "/").dropLast().joined(separator: "/")
  }
}
