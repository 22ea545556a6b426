import Gathering
import Machine

/// The names of the files of one recording: `walk.gkr`, `walk.1.gkr`, `walk.2.gkr` …
struct SegmentNames: Sendable {
  private let folder: String
  private let stem: String
  private let ending: String

  /// The names that follow the first file's.
  init(_ path: String) throws(SourceError) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last, !name.isEmpty else {
      throw .invalidArgument("\"\(path)\" is no name of a file")
    }
    folder = parts.dropLast().map { $0 + "/" }.joined()
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
    stem = String(name[..<dot])
    ending = String(name[dot...])
  }

  func path(ofSegment number: Int) -> String {
    folder + stem + (number == 0 ? "" : ".\(number)") + ending
  }

  /// The numbers of the files that are there, in order.
  func present(in storage: any FileStorage) throws(SourceError) -> [Int] {
    let names: [String]
    do {
      names = try storage.names(in: folder.isEmpty ? "." : folder)
    } catch {
      throw SourceError(error)
    }
    return names.compactMap(number).sorted()
  }

  private func number(of name: String) -> Int? {
    if name == stem + ending { return 0 }
    guard name.hasPrefix(stem + "."), name.hasSuffix(ending) else { return nil }
    let digits = name.dropFirst(stem.utf8.count + 1).dropLast(ending.utf8.count)
    guard let number = Int(digits), number > 0, String(number) == digits else { return nil }
    return number
  }
}
