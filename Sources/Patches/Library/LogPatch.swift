import Gathering
import Values

/// Writes values to the library's log.
struct LogPatch: LibraryKind {
  static let type = "log"
  static let summary = "One line of the log for each value."
  static let inputs = [PortDescription("value")]
  static let outputs: [PortDescription] = []
  static let options = [
    PortDescription("label", .string, standard: .string("")),
    PortDescription("level", .string, standard: .string("info")),
  ]
  static let passesNull = false

  private var label = ""
  private var level = Log.Level.info

  init() {}

  mutating func change(_ option: String, to value: Payload) throws(PatchError) {
    let text = value.text ?? ""
    guard option == "level" else {
      label = text
      return
    }
    guard let level = Log.Level.allCases.first(where: { $0.word == text }) else {
      let words = Log.Level.allCases.map(\.word)
      throw .badOption(option, reason: Nearest.sentence(to: text, among: words, what: "level"))
    }
    self.level = level
  }

  mutating func receive(
    _ sample: Sample, on input: String, _ publish: (String, Payload) -> Void
  ) throws {
    let text = sample.value.formatted()
    Log.write(level, "patch", label.isEmpty ? text : "\(label): \(text)")
  }
}
