import ArgumentParser
import Gathering
import Glibc
import Values

/// The command `gathered`: everything a Linux machine can report about itself, on a terminal or in
/// a pipe.
@main
struct Gathered: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gathered",
    abstract: "Everything a Linux machine can report about itself.",
    discussion: """
      Sensors, radios, power, screen, storage, memory, identity: each is a source with an id such \
      as battery|BAT0. Each value has a unit and a status. A missing value has the reason and what \
      to do about it.

      EXAMPLES
        gathered list                         the sources of this machine
        gathered read                         every value there is, once
        gathered read memory                  all values of the memory, once
        gathered read memory/available        one value, for a script
        gathered watch                        all values as they change
        gathered watch cpu --every 500ms      one source, twice a second
        gathered watch device_attitude        on a terminal with a drawing
        gathered watch memory --json | jq .   one JSON object per update
        gathered kinds battery                what a battery tells, in which units, and from where
        gathered doctor                       what is missing, and how to get it
        gathered graph run alarms.json        a graph of sources, filters and decisions
        gathered record walk.gkr --for 1m     record all sources to a file
        gathered replay walk.gkr              play the recording
        gathered query walk.gkr cpu --plot    draw its numbers over time
        gathered serve --open                 a live page in a browser
        gathered capture my-laptop            copy the files that are read, for a bug report
        gathered mcp                          answer an assistant's program, which starts it

      IDS
        battery                  the default instance of a kind
        battery|BAT0             one instance; quote the | in a shell
        storage|/home            one that has a slash, as it is called
        memory/available         one value
        KIND/KEY/x               one component of a vector

      EXIT CODES
        0  success
        1  failure; the reason and the remedy are on standard error
        2  an error in the command line

      TIMES
        100ms  2s  1m  1h30m     a number alone counts seconds

      Colour is used on a terminal only, and never when NO_COLOR is set.
      """,
    version: Version.text,
    subcommands: [
      ListCommand.self, ReadCommand.self, WatchCommand.self, KindsCommand.self,
      DoctorCommand.self, GraphCommand.self, RecordCommand.self, PublishCommand.self,
      ReplayCommand.self,
      QueryCommand.self, ExportCommand.self, MetricsCommand.self, ServeCommand.self,
      McpCommand.self,
      InfoCommand.self, RepairCommand.self, CaptureCommand.self,
      CompleteCommand.self,
    ])

  /// Runs the command line and ends the process with its code.
  static func main() {
    // With SIGPIPE ignored a closed pipe is an error of write, which ends the command quietly.
    signal(SIGPIPE, SIG_IGN)
    Glibc.exit(run(CommandLine.arguments))
  }

  /// Runs a command line that begins with the command's name; the process's exit code.
  private static func run(_ words: [String]) -> Int32 {
    do {
      // Swift reads the arguments from /proc/self/cmdline; without it even the name is missing.
      if words.isEmpty { throw CommandFailure("/proc is missing, and with it the command line") }
      let arguments = subcommandFirst(Array(words.dropFirst()))
      try Mistake.check(arguments, of: configuration)
      var command = try parseAsRoot(arguments)
      try command.run()
      return 0
    } catch let failure as CommandFailure {
      failure.report()
      return failure.exitCode
    } catch let error as SourceError {
      let failure = CommandFailure(error)
      failure.report()
      return failure.exitCode
    } catch is ReaderWentAway {
      return 0
    } catch {
      return finish(error)
    }
  }

  /// Moves the common options from before the command's name to behind it: `--context sim:phone
  /// list` becomes `list --context sim:phone`.
  private static func subcommandFirst(_ arguments: [String]) -> [String] {
    var options: [String] = []
    var rest = arguments[...]
    while let first = rest.first, first.hasPrefix("-") {
      guard let name = first.split(separator: "=").first,
        ["-c", "--context", "-a", "--allow"].contains(name)
      else { return arguments }
      let length = name.count == first.count ? 2 : 1
      options += rest.prefix(length)
      rest = rest.dropFirst(length)
    }
    guard let command = rest.first else { return arguments }
    return [command] + options + rest.dropFirst()
  }

  /// Prints the message of the argument parser: help on standard output with exit code 0, an error
  /// on standard error with exit code 2.
  private static func finish(_ error: any Error) -> Int32 {
    // So wide that nothing is wrapped yet.
    let text = fullMessage(for: error, columns: 10_000)
    if exitCode(for: error) == .success {
      let columns = Terminal.current.size.columns
      let help = HelpText.isHelp(text) ? HelpText.wrapped(text, to: columns) : text
      try? StandardOutput.write(help + "\n")
      return 0
    }
    Mistake.failure(message(for: error), full: text).report()
    return 2
  }
}
