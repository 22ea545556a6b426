import ArgumentParser
import CommandOptions
import Gathering
import Glibc
import Recording

/// `gathered record`: sources into a file.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record sources into a file.",
    discussion: """
      Records every update and event of the named sources to one file. Without names it takes all \
      available sources, and each that comes later; an aggregate stands for its members. The data \
      reaches the disk within a second, so a process that is killed loses no more. \
      --context replay:FILE plays the file, 'gathered info' describes it, and 'gathered repair' \
      repairs it. Personal values are recorded only if --allow names their category.

      A recording ends with exit code 0 after Ctrl-C, SIGTERM or --for. It ends with 1 when \
      nothing could be started, when rows were lost, or when the file could not be written to the \
      end. If standard error is a terminal, it shows the progress.

      EXAMPLES
        gathered record walk.gkr accelerometer gyroscope --every 10ms --for 1m
        gathered record day.gkr --append
        gathered record all.gkr --rotate-bytes 100000000 --keep 10
        gathered watch accelerometer --context replay:walk.gkr
      """)

  @OptionGroup var session: SessionOptions

  @Flag(help: "Append to an existing recording.")
  var append = false

  @Flag(help: "Replace an existing recording.")
  var overwrite = false

  @Option(help: ArgumentHelp("Begin a new file after about this many bytes.", valueName: "n"))
  var rotateBytes: Int?

  @Option(help: ArgumentHelp("Begin a new file after this time.", valueName: "time"))
  var rotateEvery: Seconds?

  @Option(help: ArgumentHelp("Keep this many files, including the present one.", valueName: "n"))
  var keep: Int?

  @Argument(help: "The file; its usual extension is .gkr.", completion: .recording)
  var file: String

  @Argument(
    help: ArgumentHelp("Sources to record.", valueName: "id"),
    completion: Completion.ids.kind)
  var ids: [String] = []

  func validate() throws {
    if append && overwrite { throw ValidationError("--append and --overwrite exclude each other.") }
  }

  func run() throws {
    let signals = try SignalInbox.open(withTerminal: false)
    try session.machine.withContext(mode: .host) { context in
      let recorder = try open(in: context)
      var recording = RecordingSession(recorder, in: context, signals: signals)
      try recording.start(ids, every: session.every?.nanoseconds)
      try recording.run(for: session.duration?.nanoseconds)
    }
  }

  private func open(in context: Context) throws -> Recorder {
    var settings = RecorderOptions()
    settings.existing = append ? .append : overwrite ? .overwrite : .refuse
    settings.rotateBytes = rotateBytes
    settings.rotateInterval = rotateEvery?.nanoseconds
    settings.keep = keep
    do throws(SourceError) {
      return try Recorder(to: file, options: settings)
    } catch .io(EEXIST, _) {
      throw CommandFailure(
        "\(file) exists already", remedy: "continue it with --append, or --overwrite it")
    } catch .io(EBUSY, _) {
      throw CommandFailure("\(file) is being written by another recorder")
    } catch {
      throw CommandFailure(error)
    }
  }
}
