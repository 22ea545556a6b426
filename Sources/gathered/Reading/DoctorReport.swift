import Gathering
import Machine
import Values

extension Context {
  /// The report of the context, and copies of the library that hide each other on a machine that
  /// has files.
  func doctorReport() throws(SourceError) -> ValueDictionary {
    var report = try report()
    let machine = try? Machine.withFiles(of: uri)
    let libraries = machine.map { InstalledLibraries(of: $0).report } ?? []
    report["mechanisms"] = .list((report.rows("mechanisms") + libraries).map(Value.dictionary))
    return report
  }
}

extension ValueDictionary {
  /// The text under a key; empty if there is none.
  func text(_ key: String) -> String { self[key]?.text ?? "" }

  /// The dictionaries in the list under a key.
  func rows(_ key: String) -> [ValueDictionary] {
    guard case .list(let items) = self[key] ?? .none else { return [] }
    return items.compactMap { if case .dictionary(let row) = $0 { row } else { nil } }
  }
}
