package import ArgumentParser

/// What a word of the command line may become in a shell.
package enum Completion: String, ExpressibleByArgument, CaseIterable {
  case ids, kinds, categories, contexts, brokers

  /// How the shells of `.packaging/completions` ask for it.
  package var kind: CompletionKind { .shellCommand("_gathered_really \(rawValue)") }
}

extension CompletionKind {
  /// A recording is a file of this extension.
  package static var recording: CompletionKind { .file(extensions: ["gkr"]) }
}
