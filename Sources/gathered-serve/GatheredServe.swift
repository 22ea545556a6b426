import ArgumentParser
import CPage
import CommandOptions
import GatheredKit
import Gathering
import Glibc
import Ground
import NIOCore
import Serving
import Values

/// The command `gathered-serve`, which `gathered serve` runs: a live page, and an interface over
/// HTTP.
@main
struct GatheredServe: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gathered-serve",
    abstract: ServeOptions.abstract, discussion: ServeOptions.discussion,
    version: Version.text)

  @OptionGroup var options: ServeOptions

  func run() throws {
    ProcessMemory.shareOneHeap()
    EndingSignals.block()
    let log = ServerLog()
    do {
      try serve(log)
    } catch let failure as StartFailure {
      failure.report(to: log)
      throw ExitCode(failure.exitCode)
    } catch let error as SourceError {
      let failure = StartFailure(error)
      failure.report(to: log)
      throw ExitCode(failure.exitCode)
    }
  }

  private func serve(_ log: ServerLog) throws {
    let place = try options.place()
    let file = try options.tokenFile(for: place)
    var rules = try options.rules(for: place)
    rules.token = try file?.read(log)
    let context = try Context.open(
      options.machine.context, allow: options.machine.allowance(), mode: .thread)
    // Outside of callbacks a close cannot fail.
    defer { try? context.close() }
    let served = try options.served(context)
    let interface = Interface(served, rules, page: Self.page)
    let idle = options.idleTime(for: place).map { time in
      IdleExit(after: time) { kill(getpid(), SIGTERM) }
    }
    let server = Server(interface, log, idle: idle)
    defer { server.stop() }
    let listener = try OpenSockets(place, server.bootstrap())
    if case .network = place { interface.setPort(listener.port) }
    announce(listener, place, rules, log)
    ProcessMemory.giveUpCleanPages()
    while EndingSignals.wait() == SIGHUP { readAgain(file, interface, log) }
    for channel in listener.channels { channel.close(promise: nil) }
  }

  /// Prints the link, and opens it if that is wanted.
  private func announce(
    _ listener: OpenSockets, _ place: Listening, _ rules: AccessRules, _ log: ServerLog
  ) {
    switch place {
    case .file(let path): StandardText.write("http+unix:\(path)\n", to: STDOUT_FILENO)
    case .given(let descriptors): log.note("listening on \(descriptors.count) sockets of systemd")
    case .network(let addresses, _):
      let host = addresses[0].contains(":") ? "[\(addresses[0])]" : addresses[0]
      let token = rules.token.map { "#token=\($0.text)" } ?? ""
      let link = "http://\(host):\(listener.port)/\(token)"
      StandardText.write(link + "\n", to: STDOUT_FILENO)
      if place.isOpenToOthers {
        log.note("anyone on the way can read this: use a proxy with TLS")
      }
      if options.isOpened { Browser.open(link, log) }
    }
  }

  private func readAgain(_ file: TokenFile?, _ interface: Interface, _ log: ServerLog) {
    guard let file else { return }
    do throws(StartFailure) {
      interface.setToken(try file.read(log))
      log.note("the token was read again")
    } catch {
      error.report(to: log)
      log.note("the token of before stays")
    }
  }

  private static var page: [UInt8] {
    var length = 0
    let begin = gathered_page(&length)
    return Array(UnsafeBufferPointer(start: begin, count: length))
  }
}
