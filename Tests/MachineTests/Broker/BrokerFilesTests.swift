import GatheredKitTesting
import Glibc
import Ground
import Testing

@testable import Machine

/// What is wrong with the arguments of a connection is told when it is made (fleet 4).
@Suite struct BrokerFilesTests {
  private let folder: TemporaryFolder
  private let listener = BrokerListener()

  init() throws { folder = try TemporaryFolder() }

  private func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws -> String {
    try folder.write(Array(text.utf8), to: "/" + name)
    chmod(folder.path + "/" + name, mode)
    return folder.path + "/" + name
  }

  private func fault(
    id: String = "a", _ change: (inout BrokerAddress) -> Void
  ) throws -> BrokerFault? {
    var address = BrokerAddress(host: "127.0.0.1", port: 1883)
    change(&address)
    do throws(BrokerFault) {
      _ = try BrokerConnection(to: address, clientID: id, user: listener)
      return nil
    } catch {
      return error
    }
  }

  @Test func `arguments that make no sense are named`() throws {
    #expect(try fault { $0.host = "" } == .invalid("there is no host"))
    #expect(try fault { $0.port = 0 } == .invalid("port 0 is none"))
    #expect(try fault { $0.keepAlive = 4 } == .invalid("keepalive is to be 5 to 65535 s"))
    #expect(try fault(id: "") { _ in } == .invalid("the client's id is empty or too long"))
    #expect(try fault { $0.passwordFile = "/x" } == .invalid("a password needs a user"))
    #expect(try fault { $0.authorities = "/x" } == .invalid("certificates need tls"))
    let alone = try fault {
      $0.usesTLS = true
      $0.key = "/x"
    }
    #expect(alone == .invalid("cert and key need each other"))
    #expect(try fault { _ in } == nil)
  }

  @Test func `F36 a password goes to other computers by TLS only, unless that is asked for`() throws
  {
    let path = try write("password", "secret\n")
    func set(_ address: inout BrokerAddress) {
      address.host = "broker.example"
      address.user = "u"
      address.passwordFile = path
    }
    let open = try fault { set(&$0) }
    guard case .invalid(let reason)? = open else {
      Issue.record("\(open as Any)")
      return
    }
    #expect(reason.contains("insecure=1") && !reason.contains("secret"))
    let asked = try fault {
      set(&$0)
      $0.isInsecure = true
    }
    let secured = try fault {
      set(&$0)
      $0.usesTLS = true
    }
    #expect(asked == nil && secured == nil)
  }

  @Test func `F37 files that are missing, or not what they should be, are named`() throws {
    let plain = try write("plain", "hello")
    let locked = try write(
      "locked", "-----BEGIN ENCRYPTED PRIVATE KEY-----\n-----END ENCRYPTED PRIVATE KEY-----\n")
    let certificate = try write("cert", "-----BEGIN CERTIFICATE-----\n")
    let none = folder.path + "/none"
    func secured(_ change: (inout BrokerAddress) -> Void) throws -> BrokerFault? {
      try fault {
        $0.usesTLS = true
        change(&$0)
      }
    }
    #expect(try secured { $0.authorities = none } == .notFound(path: none))
    #expect(
      try secured { $0.authorities = plain }
        == .malformed(path: plain, reason: "has not a certificate in the PEM format"))
    let encrypted = try secured {
      $0.certificate = certificate
      $0.key = locked
    }
    #expect(
      encrypted
        == .malformed(
          path: locked, reason: "is encrypted by a passphrase, which cannot be given"))
    #expect(
      try secured { $0.authorities = folder.path }
        == .malformed(path: folder.path, reason: "is not a file of at most 1 MiB"))
    let missing = try fault {
      $0.user = "u"
      $0.passwordFile = none
    }
    #expect(missing == .notFound(path: none))
  }

  @Test(
    arguments: [
      ("secret", "secret"), ("secret\n", "secret"), ("secret\r\nmore\n", "secret"),
      (" a b \n", " a b "),
      ("", nil), ("\nsecret\n", nil), ("a\0b\n", nil),
    ] as [(String, String?)])
  func `F37 the first line of a file is the password`(text: String, password: String?) throws {
    let path = try write("password", text)
    var address = BrokerAddress(host: "localhost", port: 1)
    address.passwordFile = path
    let found = try? BrokerFiles.withPassword(of: address) { $0.map { String(cString: $0) } }
    #expect(found == password)
  }

  @Test func `F37 a password file that others may read is used and warned about`() throws {
    var address = BrokerAddress(host: "localhost", port: 1)
    address.user = "u"
    address.passwordFile = try write("open", "secret\n", mode: 0o644)
    let warned = try BrokerConnection(to: address, clientID: "a", user: listener)
    #expect(
      warned.warnings == ["\(folder.path)/open can be read by other users: chmod 600 it"])
    address.passwordFile = try write("closed", "secret\n")
    #expect(try BrokerConnection(to: address, clientID: "a", user: listener).warnings == [])
  }

  @Test func `an IPv6 address is written in brackets`() {
    #expect(BrokerAddress(host: "::1", port: 1883).text == "[::1]:1883")
    #expect(BrokerAddress(host: "pi", port: 8883).text == "pi:8883")
  }
}
