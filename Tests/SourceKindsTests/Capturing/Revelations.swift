import GatheredKitTesting
import Gathering
import Glibc
import Ground
import Values

@testable import SourceKinds

/// All that a context lets out, as lines of text that each say where they are from.
struct Revelations {
  private(set) var lines: [String] = []
  /// The same in lower case, as C strings: there are megabytes to search.
  private var folded: [ContiguousArray<CChar>] = []

  /// Asks everything there is to ask of all sources of a context, started and idle.
  init(of context: Context) throws {
    note("report", "\(try context.report())")
    for row in try context.sources() {
      note("list", "\(row.id) \(row.name) \(row.label) \(row.availability)")
      note("row", "\(row.dictionary(full: true))")
      add(try context.open(row.id), in: context)
    }
  }

  /// What one source tells: idle, updating, and of a start that fails.
  mutating func add(_ source: Source, in context: Context) {
    let events = Monitor<[String]>([])
    let token = source.addEventListener { event in
      let text = "\(event)"
      events.withLock { $0.append(text) }
    }
    tell(source, "idle")
    do throws(SourceError) {
      _ = try source.updateValues()
      tell(source, "updated")
      try source.startUpdating(every: 1_000_000_000)
      try context.seek(to: (context.position ?? 0) + 2_000_000_000)
      tell(source, "updating")
      try source.stopUpdating()
    } catch {
      note("\(source.id) error", "\(error) \(error.message)")
    }
    tell(source, "stopped")
    note("\(source.id) events", "\(events.withLock { $0 })")
    token.end()
  }

  private mutating func tell(_ source: Source, _ moment: String) {
    let id = "\(source.id) \(moment)"
    note(id, "\(source.name) \(source.label) \(source.availability) \(source.rates)")
    note("\(id) metadata", "\(source.metadata)")
    for (index, property) in source.properties.enumerated() {
      let sample = source.allValues[index]
      note("\(id)/\(property.key)", "\(sample) \(Self.text(sample.value))")
      note("\(id)/\(property.key) explained", "\(source.explanation(ofPropertyAt: index))")
      if let raw = source.rawValue(ofPropertyAt: index) {
        note(
          "\(id)/\(property.key) raw", "\(raw.place) \(String(decoding: raw.bytes, as: UTF8.self))")
      }
    }
  }

  /// Bytes as they would be read.
  private static func text(_ value: Value) -> String {
    guard case .bytes(let bytes) = value else { return "" }
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return String(decoding: bytes, as: UTF8.self) + " " + digits.joined()
  }

  private mutating func note(_ place: String, _ text: String) {
    let line = "\(place): \(text)"
    lines.append(line)
    folded.append(line.lowercased().replacing("\0", with: " ").utf8CString)
  }

  /// The lines in which one of some texts is, in whatever case.
  func lines(with spellings: [String]) -> [String] {
    zip(lines, folded).filter { _, line in
      line.withUnsafeBufferPointer { line in
        spellings.contains { strstr(line.baseAddress!, $0) != nil }
      }
    }.map(\.0)
  }
}
