import ArgumentParser
import CommandOptions
import GatheredKit
import Gathering
import Glibc
import Ground
import Machine
import SourceKinds

/// `gathered capture`: the files of a machine, for a test on another one.
struct CaptureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Copy the files that the sources of this machine read.",
    discussion: """
      Reads every kind once and copies each file, folder and link that was read below DIR. With \
      '--context local:root=DIR' any machine then reads the same values: a bug report that can be \
      run as a test. Data from daemons, radios and sound cards is in no file and not captured.

      Personal files (serial numbers, hardware addresses, the machine id, the host name) are left \
      out and personal words in other files are blanked, unless --allow names their category. Look \
      through DIR before you pass it on: mount points and labels are copied unchanged.

      DIR must be empty or not exist yet; only you can read it. Ctrl-C leaves nothing behind.

      EXAMPLES
        gathered capture my-laptop
        gathered read battery --context local:root=my-laptop
        tar czf my-laptop.tar.gz my-laptop
      """)

  @OptionGroup var options: ContextOptions

  @Argument(help: ArgumentHelp("The folder to create.", valueName: "dir"))
  var folder: String

  func run() throws {
    let signals = try SignalInbox.open(withTerminal: false)
    let allow = try options.allowance()
    let machine = try Machine.withFiles(of: options.context)
    try check()
    let capture = try read(machine, allow, signals)
    let isWhole: Bool
    do throws(SystemError) {
      isWhole = try capture.tree.write(to: folder) { !Self.isEnding(signals) }
    } catch {
      throw failure(error)
    }
    if !isWhole { throw CommandFailure("\(folder): the capture was cancelled and removed") }
    try report(capture)
  }

  /// Checks the folder before the machine is read.
  private func check() throws(CommandFailure) {
    var status = stat()
    guard lstat(folder, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw CommandFailure(
        "\(folder) exists and is not a folder", remedy: "name another folder")
    }
  }

  private func failure(_ error: SystemError) -> CommandFailure {
    if error.code == ENOTEMPTY {
      return CommandFailure("\(folder) is not empty", remedy: "name a folder that does not exist")
    }
    return CommandFailure("\(error.place): \(SystemText.message(of: error.code))")
  }

  /// A sensor or a mount may keep silent for long: the reading is waited for, and can be given up.
  private func read(
    _ machine: Machine, _ allow: Allowance, _ signals: SignalInbox
  ) throws -> MachineCapture {
    let outcome = Monitor<Result<MachineCapture, SourceError>?>(nil)
    let thread = try WorkerThread(named: "gathered-read") {
      let found: Result<MachineCapture, SourceError>
      do throws(SourceError) {
        found = .success(try MachineCapture(of: machine, allow: allow))
      } catch {
        found = .failure(error)
      }
      outcome.withLock { $0 = found }
      outcome.signalAll()
    }
    thread.detach()
    while true {
      let moment = Monitor<Void>.moment(after: 50_000_000)
      if let found = outcome.wait(until: moment, for: { $0 }) { return try found.get() }
      if Self.isEnding(signals) {
        throw CommandFailure("\(folder): the capture was cancelled; nothing was written")
      }
    }
  }

  private static func isEnding(_ signals: SignalInbox) -> Bool {
    signals.takeAll().contains(where: SignalInbox.ending.contains)
  }

  private func report(_ capture: MachineCapture) throws {
    let tree = capture.tree
    var lines = ["\(tree.files.count) files of \(tree.size) bytes in \(folder.printable)"]
    if !capture.withheld.isEmpty {
      lines.append("\(capture.withheld.count) personal paths left out; --allow includes them")
    }
    lines += capture.unread.sorted().map { "not readable: \($0.printable)" }
    try StandardOutput.write(lines.joined(separator: "\n") + "\n")
  }
}
