import ArgumentParser
import Gathering
import Glibc
import Values

/// The command `gathered`: what a Linux machine can tell about itself, on a terminal or in a pipe.
@main
struct Gathered: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gathered",
    abstract: "Everything a Linux machine can tell about itself.",
    discussion: """
      Sensors, radios, power, screen, storage, memory, identity: each is a source with an id such \
      as battery|BAT0, and each value has a unit, a status and, when it is missing, the reason and \
      what to do about it.

      EXAMPLES
        gathered list                         what is there
        gathered read memory                  all values of the memory, once
        gathered read memory/available        one value, for a script
        gathered watch                        what changes, as it changes
        gathered watch cpu --every 0.5        one source, twice a second
        gathered watch device_attitude        a picture beside the numbers, on a terminal
        gathered watch memory --json | jq .   one JSON object an update
        gathered doctor                       what is missing, and how to get it
        gathered graph run alarms.json        sources, filters and decisions, wired
        gathered record walk.gkr --for 60     everything, into a file
        gathered replay walk.gkr              and played again
        gathered query walk.gkr cpu --plot    its numbers over time
        gathered capture my-laptop            the files it is read from, for a bug report

      IDS
        battery                  the default instance of a kind
        battery|BAT0             one instance; quote the | in a shell
        memory/available         one value
        KIND/KEY/x               one component of a vector

      EXIT CODES
        0  it was done
        1  it could not be done; the reason and the remedy are on standard error
        2  the command line was wrong

      Colour is used on a terminal only, and never when NO_COLOR is set.
      """,
    version: Version.text,
    subcommands: [
      ListCommand.self, ReadCommand.self, WatchCommand.self, DoctorCommand.self,
      GraphCommand.self, RecordCommand.self, ReplayCommand.self, QueryCommand.self,
      ExportCommand.self, InfoCommand.self, RepairCommand.self, CaptureCommand.self,
    ])

  /// Runs the command line and ends the process with its code.
  static func main() {
    // A reader that went away is an error of write, which ends the command quietly.
    signal(SIGPIPE, SIG_IGN)
    Glibc.exit(run(CommandLine.arguments))
  }

  /// Runs a command line that begins with the command's name; the process's exit code.
  private static func run(_ words: [String]) -> Int32 {
    do {
      // Swift reads them from /proc/self/cmdline; without that there is not even the name.
      if words.isEmpty { throw CommandFailure("/proc is missing, and with it the command line") }
      var command = try parseAsRoot(subcommandFirst(Array(words.dropFirst())))
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

  /// The arguments with the options every command has, where they stand before the command, moved
  /// behind its name: `--context sim:phone list` is `list --context sim:phone`.
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

  /// Prints what the argument parser has to say: help is an answer, everything else a mistake.
  private static func finish(_ error: any Error) -> Int32 {
    let text = fullMessage(for: error)
    if exitCode(for: error) == .success {
      try? StandardOutput.write(text + "\n")
      return 0
    }
    StandardError.write(text + "\n")
    return 2
  }
}
