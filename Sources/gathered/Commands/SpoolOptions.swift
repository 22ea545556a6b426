import ArgumentParser
import CommandOptions
import Fleet

/// What keeps rows until a broker has them.
struct SpoolOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Keep every reading in this folder until the broker has it.", valueName: "folder"),
    completion: .directory)
  var spool: String?

  @Option(
    help: ArgumentHelp("The most bytes kept there; by default 1 GiB.", valueName: "n"))
  var spoolBytes: Int?

  @Option(
    help: ArgumentHelp("The most bytes a second sent of what is kept.", valueName: "n"))
  var drainRate: Int64?

  func validate() throws {
    if spool == nil, spoolBytes != nil || drainRate != nil {
      throw ValidationError("--spool-bytes and --drain-rate need --spool.")
    }
  }

  func apply(to settings: inout PublisherOptions) {
    settings.spool = spool
    if let spoolBytes { settings.spoolBytes = spoolBytes }
    if let drainRate { settings.drainRate = drainRate }
  }
}
