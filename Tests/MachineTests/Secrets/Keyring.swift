import GatheredKitTesting
import Glibc
import Ground
import Machine

/// A real keyring daemon on a bus of the test's own, with one collection that is open.
final class Keyring: Sendable {
  static let name = "org.freedesktop.secrets"
  static let path = "/org/freedesktop/secrets"

  /// What is missing for it; nil when all is there.
  static var lack: String? {
    let programs = ["/usr/bin/gnome-keyring-daemon", "/usr/bin/dbus-daemon"]
    if let missing = programs.first(where: { access($0, X_OK) != 0 }) { return "no \(missing)" }
    do {
      _ = try Libsecret.file()
      return nil
    } catch {
      return error.reason
    }
  }

  let bus: PrivateBus
  /// What a child process needs to use it.
  let environment: [String]

  private let folder: TemporaryFolder
  private let daemon: ChildProcess

  init() throws {
    bus = try PrivateBus()
    folder = try TemporaryFolder()
    try folder.write(Array("password".utf8), to: "/password")
    environment = [
      "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "HOME=\(folder.path)",
      "XDG_DATA_HOME=\(folder.path)", "XDG_RUNTIME_DIR=\(folder.path)",
    ]
    let command = "exec gnome-keyring-daemon --foreground --unlock --components=secrets"
    daemon = try ChildProcess(
      ["/bin/sh", "-c", "\(command) < \(folder.path)/password"], environment: environment)
    let isThere = Patience.wait { [bus] in
      (try? bus.tell(
        Self.name, Self.path, "ReadAlias", .string("default"),
        interface: "org.freedesktop.Secret.Service"))?.first?.plain
        == .path(Self.path + "/collection/login")
    }
    if !isThere { throw SystemError(ETIMEDOUT, at: "gnome-keyring-daemon") }
  }

  /// Locks what it holds; no process on the bus can ask for the password.
  func lock() throws {
    try bus.tell(
      Self.name, Self.path, "Lock", .array(of: "o", [.path(Self.path + "/collection/login")]),
      interface: "org.freedesktop.Secret.Service")
  }

  func end() { daemon.end() }
}
