import Gathering
import Glibc
import Machine
import Recording
import Values

/// The recordings that a session may read: files, and what is in folders at the time.
///
/// A call names one as it is listed, and never a path.
struct OfferedRecordings: Sendable {
  /// A recording and the name it is asked for by.
  struct Offered: Sendable {
    let name: String
    let path: String
  }

  private let paths: [String]
  private static let ending = ".gkr"

  /// Throws a failure for a path that is not there.
  init(_ paths: [String]) throws(CommandFailure) {
    self.paths = paths
    for path in paths where access(path, R_OK) != 0 {
      throw CommandFailure("\(path): \(SystemText.message(of: errno))")
    }
  }

  /// All there are; of two with one name the first.
  var all: [Offered] {
    var found: [Offered] = []
    for offered in paths.flatMap(Self.recordings) {
      if !found.contains(where: { $0.name.isSpelt(offered.name) }) { found.append(offered) }
    }
    return found
  }

  /// The one of a name; without a name the only one. Throws a failure.
  func named(_ name: String?) throws(CommandFailure) -> Offered? {
    let all = all
    if all.isEmpty {
      throw CommandFailure(
        "no recording is offered",
        remedy: "start gathered mcp with --recordings and a file or folder")
    }
    guard let name else { return all.count == 1 ? all[0] : nil }
    if let offered = all.first(where: { $0.name.isSpelt(name) }) { return offered }
    throw CommandFailure(
      Nearest.sentence(to: name, among: all.prefix(100).map(\.name), what: "recording"))
  }

  private static func recordings(at path: String) -> [Offered] {
    guard let names = try? LiveStorage().names(in: path) else {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return [Offered(name: name, path: path)]
    }
    let folder = path.hasSuffix("/") ? path : path + "/"
    return names.filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }.map(first).sorted().map {
      Offered(name: $0, path: folder + $0)
    }
  }

  /// The name of the first of the files of a recording: `walk.gkr` for `walk.2.gkr`.
  private static func first(of name: String) -> String {
    var parts = name.dropLast(ending.count).split(
      separator: ".", omittingEmptySubsequences: false)
    if parts.count > 1, let number = Int(parts[parts.count - 1]), number > 0 { parts.removeLast() }
    return parts.joined(separator: ".") + ending
  }
}
