import Glibc
import Ground
import Machine
import Values

/// The copies of `libgatheredkit.so.0` that a machine has where its loader looks, in that order.
///
/// The command does not load the library, but other programs do, each the first copy: one that
/// `make install` left in `/usr/local` hides that of a package (packaging D19).
struct InstalledLibraries {
  private static let soname = "libgatheredkit.so.0"

  /// Each copy once, by the name of the file itself.
  let paths: [String]

  /// Looks through the folders that `/etc/ld.so.conf` names and those the loader knows by itself;
  /// on this computer first through those of `LD_LIBRARY_PATH`.
  init(of machine: Machine) {
    let given = machine.nature == .live ? getenv("LD_LIBRARY_PATH") : nil
    let named = given.map { String(cString: $0) } ?? ""
    var found: [String] = []
    let folders =
      named.split(whereSeparator: { $0 == ":" || $0 == ";" }).map(String.init)
      + Self.configured(by: "/etc/ld.so.conf", in: machine.files)
      + ["/lib64", "/usr/lib64", "/lib", "/usr/lib"]
    for folder in folders where folder.hasPrefix("/") {
      let path = try? machine.files.canonicalPath(of: "\(folder)/\(Self.soname)")
      if let path, !found.contains(path) { found.append(path) }
    }
    paths = found
  }

  /// The doctor's rows, in the form of its mechanisms; none where at most one copy is there.
  var report: [ValueDictionary] {
    guard paths.count > 1 else { return [] }
    return paths.map { path in
      var row = ValueDictionary()
      row["name"] = .string("libgatheredkit")
      row["version"] = .string(Self.version(of: path))
      row["reason"] = .string(
        path == paths[0]
          ? "\(path) is found first by programs"
          : "\(path) is hidden by \(paths[0])")
      row["remedy"] = .string(path == paths[0] ? "" : Self.remedy)
      return row
    }
  }

  private static let remedy =
    "remove one of them: make uninstall for what make installed, apt remove for packages"

  /// What the file's name ends with: `0.2.0`.
  private static func version(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    return name.split(separator: ".").drop { Int($0) == nil }.joined(separator: ".")
  }

  /// The folders in the order of a file's lines, of which some include the files of a folder.
  private static func configured(by path: String, in files: any FileTree) -> [String] {
    let lines = text(of: path, in: files).split(separator: "\n").map { line in
      line.prefix { $0 != "#" }.split { " \t=".contains($0) }.map(String.init)
    }
    return lines.flatMap { words -> [String] in
      guard words.first == "include", words.count == 2 else { return Array(words.prefix(1)) }
      let parts = words[1].split(separator: "/")
      let folder = "/" + parts.dropLast().joined(separator: "/")
      // No other pattern is in use.
      guard parts.last == "*.conf", let names = try? files.entries(of: folder) else { return [] }
      return names.filter { $0.hasSuffix(".conf") && !$0.hasPrefix(".") }.sorted().flatMap { name in
        text(of: "\(folder)/\(name)", in: files).split(separator: "\n").compactMap { line in
          line.hasPrefix("/") ? String(line.prefix { !" \t=#".contains($0) }) : nil
        }
      }
    }
  }

  /// The beginning of a file, which is all of such a one; empty if it cannot be read.
  private static func text(of path: String, in files: any FileTree) -> String {
    var bytes = [UInt8](repeating: 0, count: 16384)
    let count =
      (try? bytes.withUnsafeMutableBytes { buffer in
        try files.open(path).read(at: 0, into: buffer)
      }) ?? 0
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
