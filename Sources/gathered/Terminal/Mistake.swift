import ArgumentParser
import Gathering

/// What is wrong with a command line, in the words and with the prefix of every other failure.
enum Mistake {
  /// Throws a failure for the name of a command that is none, with the one that was meant.
  static func check(_ words: [String], of root: CommandConfiguration) throws {
    var command = root
    for word in words {
      if word.hasPrefix("-") || word == "help" || command.subcommands.isEmpty { return }
      let known = command.subcommands.map { $0.configuration }
      guard let next = known.first(where: { $0.commandName == word }) else {
        let names = known.filter(\.shouldDisplay).compactMap(\.commandName)
        let sentence = Nearest.sentence(to: word, among: names, what: "command")
        throw CommandFailure.usage(sentence)
      }
      command = next
    }
  }

  /// The failure in a message of the argument parser; `full` says where there is help.
  static func failure(_ message: String, full: String) -> CommandFailure {
    // An alternative stands on a line of its own.
    let lines = message.split(separator: "\n").map { line in
      String(line.drop { $0 == " " })
    }
    var sentence = lines.joined(separator: ", ")
    if sentence.hasSuffix(".") { sentence.removeLast() }
    let text = sentence.prefix(1).lowercased() + sentence.dropFirst()
    let help = full.split(separator: "'").last { $0.hasPrefix("gathered ") }
    return CommandFailure(
      text, remedy: help.map { "\($0) tells how it is written" } ?? "", exitCode: 2)
  }
}
