import Glibc
public import Ground

/// A program run by a test, which ends with it at the latest.
public final class ChildProcess: Sendable {
  private let child: Monitor<pid_t>

  /// Starts a program with more variables than ours in its environment; its output goes nowhere.
  public init(_ words: [String], environment: [String] = []) throws(SystemError) {
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + Self.inherited(but: environment) + [nil]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    }
    // The thread of a test may block signals, which a child would inherit: it must hear them.
    var attributes = posix_spawnattr_t()
    var noSignals = sigset_t()
    posix_spawnattr_init(&attributes)
    sigemptyset(&noSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var number: pid_t = 0
    let failure = posix_spawn(&number, words[0], &actions, &attributes, &arguments, &variables)
    posix_spawnattr_destroy(&attributes)
    posix_spawn_file_actions_destroy(&actions)
    for text in arguments + variables { free(text) }
    guard failure == 0 else { throw SystemError(failure, at: words[0]) }
    child = Monitor(number)
  }

  deinit { end() }

  /// Stops it where it stands, so that it answers no request.
  public func pause() { signal(SIGSTOP) }

  /// Lets it go on.
  public func resume() { signal(SIGCONT) }

  /// Starts this test program once more, for the one test that a filter names; what it does there
  /// is decided by a variable of its environment.
  public static func repeating(
    _ filter: String, environment: [String]
  ) throws(SystemError) -> ChildProcess {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { throw SystemError(errno, at: "/proc/self/exe") }
    let own = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return try ChildProcess(
      [own, "--testing-library", "swift-testing", "--filter", filter], environment: environment)
  }

  /// Waits until it has ended by itself; what it gave to exit(3), or nil if a signal ended it.
  public func waitForExit() -> Int32? {
    child.withLock { child in
      guard child > 0 else { return nil }
      var status: Int32 = 0
      while waitpid(child, &status, 0) < 0 && errno == EINTR {}
      child = 0
      return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }
  }

  /// Asks it to end, and waits until it has.
  public func stop() { end(by: SIGTERM) }

  /// Ends it without a farewell, and waits for that.
  public func end() { end(by: SIGKILL) }

  private func end(by number: Int32) {
    child.withLock { child in
      guard child > 0 else { return }
      kill(child, number)
      waitpid(child, nil, 0)
      child = 0
    }
  }

  private func signal(_ number: Int32) {
    child.withLock { child in
      if child > 0 { kill(child, number) }
    }
  }

  private static func inherited(but replaced: [String]) -> [UnsafeMutablePointer<CChar>?] {
    let names = replaced.compactMap { $0.split(separator: "=").first.map(String.init) }
    var found: [UnsafeMutablePointer<CChar>?] = []
    var next = environ
    while let text = next.pointee {
      let name = String(cString: text).prefix { $0 != "=" }
      if !names.contains(String(name)) { found.append(strdup(text)) }
      next += 1
    }
    return found
  }
}
