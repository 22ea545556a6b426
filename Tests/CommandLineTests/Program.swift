import GatheredKitTesting
import Glibc
import Ground

/// The built `gathered`, run as a process of its own with its output in a pipe or on a terminal.
final class Program {
  /// How a run ended.
  struct Outcome {
    /// The exit code; the negative signal number if a signal ended it.
    let code: Int32
    let output: String
    let errors: String

    var lines: [Substring] { output.split(separator: "\n") }
  }

  enum Output {
    case pipe
    /// A pseudo-terminal of so many columns and rows.
    case terminal(columns: UInt16, rows: UInt16)
  }

  struct CannotRun: Error {
    let call: String
    let errno: Int32
  }

  private let process: pid_t
  /// When it is ended, should it hang: counted from its own start.
  private let end = Patience.end
  private let reading: Int32
  private let errorFile: UnsafeMutablePointer<FILE>
  private var output: [UInt8] = []

  /// Runs a command line to its end.
  static func run(_ arguments: String..., environment: [String] = []) throws -> Outcome {
    try Program(arguments, environment: environment).finish()
  }

  /// Starts a command line, with a file as its standard input; nil is the terminal it writes to.
  /// Errors are kept apart, unless they are to be told where the output goes.
  init(
    _ arguments: [String], to kind: Output = .pipe, from input: String? = "/dev/null",
    mixingErrors: Bool = false, environment: [String] = []
  ) throws {
    guard let errorFile = tmpfile() else { throw CannotRun(call: "tmpfile", errno: errno) }
    self.errorFile = errorFile
    let variables = ["TERM=xterm", "PATH=/usr/bin:/bin"] + environment
    // One at a time: a pipe born while another program starts would be inherited by that.
    (process, reading) = try Self.starting.withLock { _ in
      let (reading, writing) = try Self.open(kind)
      defer { close(writing) }
      let errors = mixingErrors ? writing : fileno(errorFile)
      let words = ["gathered"] + arguments
      let process = try Self.spawn(
        words, variables, input: input, output: writing, errors: errors)
      return (process, reading)
    }
  }

  private static let starting = Lock(())

  private static func spawn(
    _ arguments: [String], _ environment: [String], input: String?, output: Int32, errors: Int32
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    if let input {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
    } else {
      posix_spawn_file_actions_adddup2(&actions, output, STDIN_FILENO)
    }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    var process = pid_t()
    let failure = posix_spawn(&process, path, &actions, &attributes, words, variables)
    for text in words + variables { free(text) }
    posix_spawnattr_destroy(&attributes)
    posix_spawn_file_actions_destroy(&actions)
    if failure != 0 { throw CannotRun(call: path, errno: failure) }
    return process
  }

  deinit {
    close(reading)
    fclose(errorFile)
  }

  /// Reads until the output holds a text; false if it ended without.
  func read(until text: String) -> Bool {
    while !String(decoding: output, as: UTF8.self).contains(text) {
      if !readMore() { return false }
    }
    return true
  }

  /// Presses keys on the terminal.
  func type(_ text: String) { _ = write(reading, text, text.utf8.count) }

  func send(_ signal: Int32) { kill(process, signal) }

  /// Reads no more, as `head` does.
  func closeOutput() {
    let nothing = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    dup2(nothing, reading)
    close(nothing)
  }

  /// Waits for the end.
  func finish() -> Outcome {
    while readMore() {}
    var status: Int32 = 0
    while case let found = waitpid(process, &status, WNOHANG), found != process {
      if Patience.isOver(end) { send(SIGKILL) }
      usleep(1000)
    }
    let code = status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    return Outcome(
      code: code, output: String(decoding: output, as: UTF8.self), errors: errorText)
  }

  private func readMore() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 4096)
    var asked = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
    // What is ended by a signal has failed, whatever its test expects.
    while poll(&asked, 1, 1000) == 0 {
      if Patience.isOver(end) { send(SIGKILL) }
    }
    let count = Glibc.read(reading, &chunk, chunk.count)
    // A terminal whose last writer is gone answers EIO.
    if count <= 0 { return false }
    output += chunk.prefix(count)
    return true
  }

  private var errorText: String {
    var bytes: [UInt8] = []
    rewind(errorFile)
    while case let byte = fgetc(errorFile), byte != EOF { bytes.append(UInt8(byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// `gathered` is built beside the tests.
  private static var path: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(
      decoding: buffer.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return own.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/gathered"
  }

  private static func open(_ kind: Output) throws -> (reading: Int32, writing: Int32) {
    let ends: (reading: Int32, writing: Int32)
    switch kind {
    case .pipe:
      var both: [Int32] = [-1, -1]
      guard pipe(&both) == 0 else { throw CannotRun(call: "pipe", errno: errno) }
      ends = (both[0], both[1])
    case .terminal(let columns, let rows):
      ends = try openTerminal(winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0))
    }
    for end in [ends.reading, ends.writing] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  private static func openTerminal(
    _ size: winsize
  ) throws -> (reading: Int32, writing: Int32) {
    // posix_openpt and its kin are hidden from Swift; these are TIOCSPTLCK and TIOCGPTPEER.
    let setLock: UInt = 0x4004_5431
    let openPeer: UInt = 0x5441
    var size = size
    var unlocked: Int32 = 0
    let master = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY)
    guard master >= 0, ioctl(master, setLock, &unlocked) == 0,
      ioctl(master, UInt(TIOCSWINSZ), &size) == 0
    else { throw CannotRun(call: "/dev/ptmx", errno: errno) }
    let slave = ioctl(master, openPeer, O_RDWR | O_NOCTTY)
    guard slave >= 0 else { throw CannotRun(call: "TIOCGPTPEER", errno: errno) }
    return (master, slave)
  }
}
