import ArgumentParser
import CommandOptions
import Glibc

/// `gathered serve`: a live page and an interface over HTTP, by the program `gathered-serve`.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: ServeOptions.abstract, discussion: ServeOptions.discussion)

  @OptionGroup var options: ServeOptions

  /// Becomes the server, with the words of the command line that are its own.
  func run() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    let own = words.prefix { $0 != "serve" } + words.drop { $0 != "serve" }.dropFirst()
    for program in [Self.beside, "gathered-serve"].compactMap({ $0 }) {
      var arguments =
        (["gathered-serve"] + own).map { strdup($0) } as [UnsafeMutablePointer<CChar>?]
      arguments.append(nil)
      execvp(program, arguments)
      for argument in arguments { free(argument) }
    }
    throw CommandFailure(
      "gathered-serve is not installed",
      remedy: "install gathered-serve by apt or gatheredkit-serve by pip, or make build")
  }

  /// The server beside this program; nil where /proc is missing.
  private static var beside: String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &path, path.count - 1)
    guard length > 0 else { return nil }
    let own = String(decoding: path.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return own.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/") + "/gathered-serve"
  }
}
