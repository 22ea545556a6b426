import GatheredKitTesting
import Glibc
import Machine
import Testing

/// `gathered publish` and what reads, by a broker behind TLS that wants a certificate of its
/// clients (fleet F36, F37).
@Suite(
  .enabled(
    if: PrivateBroker.isInstalled && BrokerCertificates.canBeMade,
    "mosquitto, libmosquitto1 or openssl is not installed"))
struct EncryptedBrokerTests {
  let broker: PrivateBroker
  var path: String { broker.folder.path }
  var uri: String { "mqtts:localhost:\(broker.address.port)" }
  var vouched: String { "\(uri)&ca=\(path)/ca.pem" }

  init() throws {
    let settings = [
      "use_identity_as_username true", "require_certificate true", "certfile @/named.pem",
      "keyfile @/named.key", "cafile @/ca.pem", "acl_file @/acl",
    ]
    // What a client may is decided by the name in its certificate.
    let rights = "user robot\ntopic readwrite #\n"
    broker = try PrivateBroker(settings, files: ["/acl": rights]) { folder in
      for name in ["ca", "other"] {
        try BrokerCertificates.makeAuthority(name, in: folder.path)
      }
      try BrokerCertificates.make("named", for: "localhost", in: folder.path)
      try BrokerCertificates.make("own", for: "robot", in: folder.path)
    }
  }

  /// The options of a client with a certificate, by name.
  private func options(_ name: String, key: String? = nil) -> [String] {
    ["--cert", "\(path)/\(name).pem", "--key", "\(path)/\(key ?? name).key"]
  }

  /// Publishes what a simulated phone has, with a terminal that tells how that goes.
  private func publish(_ words: [String]) throws -> Program {
    try Program(
      ["publish", uri, "battery", "--device", "pi", "--context", "sim:phone"] + words,
      to: .terminal(columns: 200, rows: 20), mixingErrors: true)
  }

  @Test func `F36 what is published with a certificate is read with one`() throws {
    let publisher = try publish(["--ca", "\(path)/ca.pem"] + options("own"))
    #expect(publisher.read(until: ", connected, "))
    let context = "\(vouched)&cert=\(path)/own.pem&key=\(path)/own.key"
    let read = try Program.run("read", "battery|aggregate@pi", "--context", context, "--json")
    #expect(read.code == 0 && read.output.contains("\"level\""), "\(read)")
    publisher.send(SIGINT)
    let done = publisher.finish()
    #expect(done.code == 0, "\(done)")
  }

  @Test func `F36 without its certificate a client is not let in`() throws {
    let publisher = try publish(["--ca", "\(path)/ca.pem"])
    #expect(publisher.read(until: "cert=FILE and key=FILE"))
    publisher.send(SIGINT)
    #expect(!publisher.finish().output.contains(", connected, "))
    let read = try Program.run("read", "battery", "--context", vouched)
    #expect(read.code == 1 && read.output.isEmpty, "\(read)")
  }

  @Test func `F36 a broker is not trusted that another authority vouches for`() throws {
    let publisher = try publish(["--ca", "\(path)/other.pem"] + options("own"))
    #expect(publisher.read(until: "is not trusted"))
    publisher.send(SIGINT)
    #expect(!publisher.finish().output.contains(", connected, "))
  }

  @Test func `files that cannot be used are told at once`() throws {
    for (words, code, told) in [
      (["--cert", "\(path)/own.pem"], 2, "cert= and key= need each other"),
      (options("none"), 1, "none.pem"),
      (options("own", key: "none"), 1, "none.key"),
      (["--cert", "\(path)/acl", "--key", "\(path)/own.key"], 1, "acl"),
    ] as [([String], Int32, String)] {
      let done = try Program(
        ["publish", uri, "battery", "--context", "sim:phone", "--for", "1"] + words
      ).finish()
      #expect(done.code == code && done.errors.contains(told), "\(words) \(done)")
    }
  }
}
