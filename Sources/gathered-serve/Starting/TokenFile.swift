import Gathering
import Glibc
import Ground
import Machine
import Serving

/// The file of the token: the one that the command line names, or one of the user's own, which is
/// made once (serve W7).
struct TokenFile: Sendable {
  let path: String
  private let isOwn: Bool

  /// The file of a path; the user's own without one.
  init(_ path: String?) throws(StartFailure) {
    isOwn = path == nil
    if let path { self.path = path } else { self.path = try Self.ownPath() }
  }

  /// Reads the token. Makes the user's own where there is none.
  func read(_ log: ServerLog) throws(StartFailure) -> AccessToken {
    if isOwn { try makeIfMissing() }
    let text: [UInt8]
    do throws(SystemError) {
      let file = try LiveStorage().open(path, for: .reading)
      text = try file.bytes(at: 0, count: min(file.size(), 1 << 16))
    } catch {
      throw StartFailure(
        "\(path): \(SystemText.message(of: error.code))",
        remedy: "name a file that this user can read, with --token-file")
    }
    warnIfOpen(log)
    do throws(SourceError) {
      return try AccessToken(file: text)
    } catch {
      throw StartFailure("\(path): \(error.message)")
    }
  }

  private func warnIfOpen(_ log: ServerLog) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & (S_IRWXG | S_IRWXO) != 0 else { return }
    log.note("warning: other users may read \(path); chmod 600 would keep it")
  }

  private func makeIfMissing() throws(StartFailure) {
    if PlainFile.size(of: path) != nil { return }
    do throws(SystemError) {
      let folder = path.split(separator: "/").dropLast().joined(separator: "/")
      try PrivateFolder.make("/" + folder)
      let file = try LiveStorage().open(path, for: .creating)
      try file.writeAll(Array((AccessToken.random().text + "\n").utf8), at: 0)
    } catch {
      if error.code == EEXIST { return }
      throw StartFailure(
        "\(path): \(SystemText.message(of: error.code))",
        remedy: "name another file with --token-file")
    }
  }

  private static func ownPath() throws(StartFailure) -> String {
    if let state = variable("XDG_STATE_HOME") { return "\(state)/gathered/token" }
    if let home = variable("HOME") { return "\(home)/.local/state/gathered/token" }
    throw StartFailure(
      "there is no HOME, where the token would be kept", remedy: "name a file with --token-file")
  }

  private static func variable(_ name: String) -> String? {
    guard let text = getenv(name).map({ String(cString: $0) }), text.hasPrefix("/") else {
      return nil
    }
    return text
  }
}
