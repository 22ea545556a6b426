import GatheredKitTesting
import Testing
import Values

/// Copies of the library that hide each other (packaging D19).
struct InstalledLibrariesTests {
  /// A machine laid out as Debian's, with copies of the library in some folders.
  private static func machine(with folders: [String]) throws -> TemporaryFolder {
    let root = try TemporaryFolder()
    try root.write(Array("include /etc/ld.so.conf.d/*.conf\n".utf8), to: "/etc/ld.so.conf")
    let named = [
      "x86_64-linux-gnu.conf":
        "# Multiarch support\n/lib/x86_64-linux-gnu\n/usr/lib/x86_64-linux-gnu\n",
      "libc.conf": "/usr/local/lib\n", "libc.conf.bak": "/opt/old/lib\n",
    ]
    for (name, text) in named {
      try root.write(Array(text.utf8), to: "/etc/ld.so.conf.d/" + name)
    }
    for folder in folders {
      try root.write(Array("\u{7F}ELF".utf8), to: folder + "/libgatheredkit.so.0.2.0")
      try root.link(folder + "/libgatheredkit.so.0", to: "libgatheredkit.so.0.2.0")
    }
    return root
  }

  private func report(of root: TemporaryFolder) throws -> [ValueDictionary] {
    let outcome = try Program.run("doctor", "--json", "--context", "local:root=\(root.path)")
    guard case .dictionary(let report) = try Value(json: outcome.output),
      case .list(let rows) = report["mechanisms"] ?? .none
    else { return [] }
    return rows.compactMap { row in
      guard case .dictionary(let row) = row, row["name"] == .string("libgatheredkit") else {
        return nil
      }
      return row
    }
  }

  @Test func `D19: doctor names a library that hides another one`() throws {
    let local = "/usr/local/lib/libgatheredkit.so.0.2.0"
    let package = "/usr/lib/x86_64-linux-gnu/libgatheredkit.so.0.2.0"
    let root = try Self.machine(with: ["/usr/lib/x86_64-linux-gnu", "/usr/local/lib"])
    // As since folders were merged: one file by two names is one copy.
    try root.link("/lib", to: "usr/lib")
    let rows = try report(of: root)
    #expect(rows.map { $0["version"] } == [.string("0.2.0"), .string("0.2.0")])
    #expect(
      rows.map { $0["reason"] } == [
        .string("\(local) is found first by programs"),
        .string("\(package) is hidden by \(local)"),
      ])
    #expect(rows.first?["remedy"] == .string(""))
    let shown = try Program.run("doctor", "--context", "local:root=\(root.path)")
    #expect(shown.code == 0)
    #expect(shown.output.contains("\(package) is hidden by \(local)"))
    #expect(shown.output.contains("remedy: remove one of them: make uninstall"))
  }

  @Test(arguments: [
    [], ["/usr/local/lib"], ["/usr/lib/x86_64-linux-gnu"],
    // Where no program looks, nothing is hidden.
    ["/usr/lib/x86_64-linux-gnu", "/opt/old/lib"],
  ])
  func `D19: one library is no news`(folders: [String]) throws {
    #expect(try report(of: Self.machine(with: folders)) == [])
  }
}
