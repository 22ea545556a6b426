import GatheredKitTesting
import Glibc
import Ground
import Testing

@testable import Machine

/// A broker behind TLS, with an authority made on the spot.
@Suite(
  .enabled(
    if: PrivateBroker.isInstalled && BrokerCertificates.canBeMade,
    "mosquitto, libmosquitto1 or openssl is not installed"))
struct BrokerTLSTests {
  private let broker: PrivateBroker
  private var path: String { broker.folder.path }

  init() throws {
    let settings = [
      "allow_anonymous true", "certfile @/named.pem", "keyfile @/named.key", "cafile @/ca.pem",
    ]
    broker = try PrivateBroker(settings) { folder in
      for name in ["ca", "other"] {
        try BrokerCertificates.makeAuthority(name, in: folder.path)
      }
      try BrokerCertificates.make("named", for: "localhost", in: folder.path)
    }
  }

  private func address(_ host: String, _ authorities: String?) -> BrokerAddress {
    var address = BrokerAddress(host: host, port: broker.address.port)
    address.usesTLS = true
    address.authorities = authorities.map { path + $0 }
    return address
  }

  @Test(arguments: [BrokerVersion.v5, .v311])
  func `F36 a broker whose certificate is trusted and for its name is connected to`(
    version: BrokerVersion
  ) throws {
    var address = address("localhost", "/ca.pem")
    address.version = version
    let session = try BrokerSession(address, id: "a")
    #expect(session.listener.waitForLimits() != nil)
    #expect(session.subscribe("t"))
    let long = [UInt8](repeating: 9, count: 200_000)
    session.publish(BrokerMessage("t", long))
    session.listener.wait { $0.isReceived("t") }
    #expect(session.listener.events.contains(.received("t", long, isRetained: false)))
    #expect(session.connection.close(within: Patience.limit))
  }

  @Test func `F36 the name is checked`() throws {
    let session = try BrokerSession(address("127.0.0.1", "/ca.pem"), id: "a")
    let failure = try #require(session.listener.waitForFailure())
    let place = "127.0.0.1:\(broker.address.port)"
    #expect(failure.kind == .notTrusted && failure.isLasting)
    #expect(failure.reason == "the certificate of \(place) is not for that name")
  }

  @Test(arguments: ["/other.pem", nil])
  func `F36 who vouches is checked`(authorities: String?) throws {
    let session = try BrokerSession(address("localhost", authorities), id: "a")
    let failure = try #require(session.listener.waitForFailure())
    #expect(failure.kind == .notTrusted && failure.isLasting)
    #expect(
      failure.reason == "the certificate of localhost:\(broker.address.port) is not trusted")
    #expect(failure.remedy == "give the certificate of who vouches for it: ca=FILE")
  }

  @Test func `a port without TLS is told apart`() throws {
    let plain = try PrivateBroker()
    var address = address("localhost", "/ca.pem")
    address.port = plain.address.port
    let session = try BrokerSession(address, id: "a")
    let failure = try #require(session.listener.waitForFailure())
    #expect(
      failure.kind == .refused && failure.remedy.hasPrefix("check that this port is for TLS"),
      "\(failure)")
    // And the other way round.
    let open = try BrokerSession(broker, id: "b")
    #expect([.lost, .protocolError].contains(open.listener.waitForFailure()?.kind))
  }

  @Test func `a broker that wants a certificate of ours gets it`() throws {
    let strict = try PrivateBroker([
      "allow_anonymous true", "certfile \(path)/named.pem", "keyfile \(path)/named.key",
      "cafile \(path)/ca.pem", "require_certificate true",
    ])
    var address = address("localhost", "/ca.pem")
    address.port = strict.address.port
    let without = try BrokerSession(address, of: strict, id: "a")
    let failure = try #require(without.listener.waitForFailure())
    // Its words may be lost with the connection.
    #expect([.badLogin, .refused].contains(failure.kind), "\(failure)")
    #expect(failure.remedy.contains("cert=FILE and key=FILE"))
    address.certificate = path + "/named.pem"
    address.key = path + "/named.key"
    let with = try BrokerSession(address, of: strict, id: "b")
    #expect(with.listener.waitForLimits() != nil)
    // A key that is not the certificate's is of no use.
    address.key = path + "/other.key"
    let mixed = try BrokerSession(address, of: strict, id: "c")
    #expect(mixed.listener.waitForFailure()?.reason == "certificate and key of ours cannot be used")
  }
}
