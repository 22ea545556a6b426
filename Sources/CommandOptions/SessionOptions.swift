package import ArgumentParser

/// The options of a command that gathers for a while: the machine, how often, and how long.
package struct SessionOptions: ParsableArguments {
  @OptionGroup package var machine: ContextOptions

  @Option(
    help: ArgumentHelp(
      "Time between two updates; each kind has its own default.", valueName: "time"))
  package var every: Seconds?

  @Option(
    name: .customLong("for"), help: ArgumentHelp("End after this time.", valueName: "time"))
  package var duration: Seconds?

  /// Nothing is set yet.
  package init() {}

  package func validate() throws {
    if let every, every.nanoseconds <= 0 {
      throw ValidationError("--every takes a time above 0, such as 100ms, 2s or 1m.")
    }
  }
}
