import GatheredKitTesting
import Glibc
import Ground
import Testing

@testable import Machine

/// A broker that asks who we are.
@Suite(.enabled(if: PrivateBroker.isInstalled, Comment(rawValue: PrivateBroker.missing)))
struct BrokerLoginTests {
  private let broker: PrivateBroker
  private let address: BrokerAddress

  init() throws {
    let access = "user u\ntopic readwrite open/#\n"
    broker = try PrivateBroker(
      ["allow_anonymous false", "password_file @/users", "acl_file @/access"],
      files: ["/users": "", "/access": access, "/good": "secret\n", "/bad": "guess\n"]
    ) { folder in
      let made = try ChildProcess(
        ["/usr/bin/mosquitto_passwd", "-b", folder.path + "/users", "u", "secret"])
      #expect(made.waitForExit() == 0)
    }
    var address = broker.address
    address.user = "u"
    self.address = address
  }

  private func address(_ password: String, _ version: BrokerVersion? = nil) -> BrokerAddress {
    var address = address
    address.passwordFile = broker.folder.path + password
    address.version = version
    return address
  }

  @Test(arguments: [BrokerVersion.v5, .v311])
  func `the right password is let in, and what it may not do is told`(
    version: BrokerVersion
  ) throws {
    let session = try BrokerSession(address("/good", version), id: "a")
    #expect(session.listener.waitForLimits() != nil)
    session.publish(BrokerMessage("open/t", [1]))
    session.listener.wait(for: \.isAcknowledged)
    session.publish(BrokerMessage("shut/t", [1]))
    session.listener.wait {
      if case .acknowledged(2, _) = $0 { true } else { false }
    }
    let last = session.listener.events.last
    if version == .v5 {
      guard case .acknowledged(_, let failure?)? = last else {
        Issue.record("\(last as Any)")
        return
      }
      #expect(failure.kind == .notAuthorised)
    } else {
      // 3.1.1 has no word for it.
      #expect(last == .acknowledged(2, nil))
    }
  }

  @Test(arguments: [BrokerVersion.v5, .v311])
  func `F11 a wrong password waits a minute`(version: BrokerVersion) throws {
    let session = try BrokerSession(address("/bad", version), id: "a")
    let failure = try #require(session.listener.waitForFailure())
    #expect([.badLogin, .notAuthorised].contains(failure.kind) && failure.isLasting)
    #expect(!failure.remedy.isEmpty)
    guard case .waiting(_, failure) = session.connection.state else {
      Issue.record("\(session.connection.state)")
      return
    }
    // It does not keep a close waiting.
    let isSpared = Patience.isSpared {
      #expect(session.connection.close(within: Patience.limit))
    }
    #expect(isSpared)
  }

  @Test func `a client without a user is refused, and a password file may vanish`() throws {
    let nameless = try BrokerSession(broker, id: "a")
    #expect(nameless.listener.waitForFailure()?.isLasting == true)
    let listener = BrokerListener()
    let connection = try BrokerConnection(to: address("/good"), clientID: "b", user: listener)
    try broker.folder.remove("/good")
    try connection.start()
    let failure = try #require(listener.waitForFailure())
    #expect(failure.kind == .badLogin)
    #expect(failure.reason == "\(broker.folder.path)/good does not exist")
  }
}
