import GatheredKitTesting
import Gathering
import Ground
import Machine
import Recording
import SourceKinds
import Testing
import Values

@testable import Fleet

/// What is personal leaves the machine only where it was asked twice (fleet F34, F35).
@Suite(.enabled(if: PrivateBroker.isInstalled, Comment(rawValue: PrivateBroker.missing)))
struct PrivacyTests {
  /// What only an allowance shows: texts, and numbers that are long enough to be found.
  private static func personal(_ context: Context) throws -> Set<String> {
    var (texts, others): (Set<String>, Set<String>) = ([], [])
    for description in try context.sources() {
      let source = try context.open(description.id)
      try source.updateValues()
      for (property, sample) in zip(source.properties, source.allValues) {
        for text in words(sample.value) {
          if property.category != nil { texts.insert(text) } else { others.insert(text) }
        }
      }
    }
    // The simulated phone's name is that of its model.
    return texts.subtracting(others)
  }

  private static func words(_ value: Value) -> [String] {
    switch value {
    case .string(let text): text.utf8.count > 3 ? [text] : []
    case .double, .int:
      value.jsonText.utf8.count > 5 ? [value.jsonText] : []
    default: []
    }
  }

  private struct Capture {
    let topics: [String]
    let texts: String
    let rows: [ReceivedRows]
    /// The keys of properties that may not be shown, by the id of their source.
    let hidden: [String: Set<String>]
  }

  /// All that a broker gets of a phone that stands still, everything of it published.
  private func capture(allow: Allowance, sinkAllow: Allowance) throws -> Capture {
    let broker = try PrivateBroker()
    let log = try TopicLog(broker)
    let device = try PublishedDevice(
      "phone", on: broker, allow: allow, sinkAllow: sinkAllow, clock: "&clock=manual"
    ) {
      $0.discovery = "homeassistant"
      $0.rows = .always
    }
    var hidden: [String: Set<String>] = [:]
    for description in try device.context.sources() {
      guard let source = try? device.context.open(description.id) else { continue }
      let personal = source.properties.filter { $0.category != nil }.map(\.key)
      hidden[source.id.description] = Set(personal)
      do throws(SourceError) {
        try device.recorder.add(source)
        try source.startUpdating()
      } catch {
        guard case .unavailable = error else { throw error }
      }
    }
    try device.recorder.append(Sample(.bool(true)), named: "shaken")
    try device.context.seek(to: 2_000_000_000)
    try device.close()
    let messages = log.allMessages()
    let (blocks, texts) = (
      messages.filter { $0.topic.hasSuffix("/rows") },
      messages.filter { !$0.topic.hasSuffix("/rows") }
    )
    return Capture(
      topics: messages.map(\.topic),
      texts: texts.map { String(decoding: $0.payload, as: UTF8.self) }.joined(separator: "\n"),
      rows: blocks.compactMap { message in
        message.payload.withUnsafeBytes { bytes in try? ReceivedRows(bytes) }
      }, hidden: hidden)
  }

  private func allTexts() throws -> Set<String> {
    let context = try Context.open(
      "sim:phone&clock=manual", allow: .all, mode: .host, catalogue: SourceCatalogue.all)
    defer { try? context.close() }
    try context.seek(to: 2_000_000_000)
    return try Self.personal(context)
  }

  @Test(arguments: [(true, false), (false, true), (false, false)])
  func `F34 without both allowances nothing personal is in a topic or a payload`(
    ofContext: Bool, ofSink: Bool
  ) throws {
    let personal = try allTexts()
    #expect(personal.count > 10)
    let capture = try capture(
      allow: ofContext ? .all : .none, sinkAllow: ofSink ? .all : .none)
    #expect(capture.topics.count > 50 && !capture.rows.isEmpty)
    let topics = capture.topics.joined(separator: "\n")
    for text in personal {
      #expect(!capture.texts.contains(text), "\(text)")
      #expect(!topics.contains(text), "\(text)")
    }
    // A personal kind is not published at all.
    #expect(!capture.topics.contains { $0.contains("/gps/") })
    for message in capture.rows { checkRows(message, hidden: capture.hidden) }
  }

  @Test func `F34 with both they are found`() throws {
    let personal = try allTexts()
    let capture = try capture(allow: .all, sinkAllow: .all)
    let missing = personal.filter { !capture.texts.contains($0) }
    #expect(missing.isEmpty, "\(missing)")
    #expect(capture.topics.contains { $0.contains("/gps/") })
  }

  /// Rows are not text: no personal property has a value in them.
  private func checkRows(_ message: ReceivedRows, hidden: [String: Set<String>]) {
    var series: RecordedSeries?
    for part in message.parts {
      switch part.content {
      case .series(let facts): series = facts
      case .event: continue
      case .rows(let rows):
        guard let series else {
          Issue.record("rows are not described")
          continue
        }
        for (index, property) in series.properties.enumerated()
        where hidden[series.name]?.contains(property.key) == true {
          for row in 0..<rows.rowCount {
            #expect(rows.sample(row: row, property: index).value == .none, "\(property.key)")
          }
        }
      }
    }
  }
}
