import ArgumentParser
import CommandOptions
import GatheredKit
import Gathering
import Glibc
import Values

/// `gathered complete`: what shells offer for a word, of what is really there.
///
/// It shows nothing personal, says nothing about failures, and ends before a user waits for it.
struct CompleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "complete", abstract: "Print what a word may become, one a line.",
    shouldDisplay: false)

  /// Packaging D21 allows 80 ms, with the start of the process.
  private static let limit: UInt32 = 70_000

  @Option(help: "What the word is one of.")
  var of = Completion.ids

  @Argument(help: "The word so far.")
  var word: String

  @Argument(help: "The words of the command line, which may name a context or a recording.")
  var line: [String] = []

  func run() throws {
    signal(SIGALRM) { _ in _exit(0) }
    ualarm(Self.limit, 0)
    guard let found = try? candidates() else { return }
    let fitting = found.filter { $0.hasPrefix(word) && $0 != word && $0 == $0.printable }
    try StandardOutput.write(fitting.map { $0 + "\n" }.joined())
  }

  private func candidates() throws -> [String] {
    switch of {
    case .categories: categories
    case .contexts:
      ["local:", "local:root=", "ip:", "replay:", "sim:file=", "sim:empty"] + brokers
        + BuiltInDevice.allCases.map { "sim:\($0.rawValue)" }
    case .brokers: brokers
    case .kinds: try within { $0.catalogue.map(\.kind) }
    case .ids: try within(ids)
    }
  }

  private var brokers: [String] { ["mqtt:", "mqtts:"] }

  /// The categories that may follow those in the word.
  private var categories: [String] {
    let named = word.split(separator: ",", omittingEmptySubsequences: false).dropLast()
    let others = PrivacyCategory.allCases.map(\.rawValue).filter { !named.contains($0[...]) }
    return (others + (named.isEmpty ? ["all"] : [])).map {
      (named.map(String.init) + [$0]).joined(separator: ",")
    }
  }

  /// The sources of the kinds that the word may name, and the kinds; behind a slash properties, and
  /// behind another the components.
  private func ids(_ context: Context) throws -> [String] {
    if let slash = word.firstIndex(of: "/") {
      let source = word[..<slash]
      return try Selection(String(source), in: context).source.properties.flatMap { property in
        let key = "\(source)/\(property.key)"
        guard case .vector(let names) = property.type, word.hasPrefix(key) else { return [key] }
        return [key] + names.map { "\(key)/\($0)" }
      }
    }
    let name = word.prefix { $0 != "|" }
    let kinds = context.catalogue.map(\.kind).filter {
      name.count < word.count ? $0 == name : $0.hasPrefix(word)
    }
    return try kinds + kinds.flatMap { try context.sources(of: $0).map(\.id.description) }
  }

  private func within<Answer>(_ body: (Context) throws -> Answer) throws -> Answer {
    let context = try Context.open(uri, allow: .none, mode: .host)
    // The process ends with the answer.
    defer { try? context.close() }
    return try body(context)
  }

  /// The context that the command line names: by its option, or by the recording that it is about.
  private var uri: String {
    for (index, word) in line.enumerated().reversed() {
      if word == "-c" || word == "--context", index + 1 < line.count { return line[index + 1] }
      if word.hasPrefix("--context=") { return String(word.dropFirst(10)) }
    }
    let plays = line.contains { ["replay", "query", "export"].contains($0) }
    if plays, let file = line.first(where: { $0.hasSuffix(".gkr") }) { return "replay:\(file)" }
    return "local:"
  }
}
