import GatheredKitTesting
import Glibc
import Testing

@testable import Machine

@Suite(.enabled(if: PrivateBroker.isInstalled, Comment(rawValue: PrivateBroker.missing)))
struct LibmosquittoTests {
  @Test func `the library is 2_0 or later`() throws {
    let version = try Libmosquitto.version().split(separator: ".").compactMap { Int($0) }
    #expect(version.count == 3 && version[0] >= 2)
  }

  /// What SIGPIPE does; the library has it ignored for a moment whenever it makes a client.
  private static var ignoresBrokenPipes: Bool {
    var action = sigaction()
    sigaction(SIGPIPE, nil, &action)
    let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self)
    return handler == 1
  }

  @Test func `what SIGPIPE does stays the host's to say`() throws {
    let ignores = Self.ignoresBrokenPipes
    let broker = try PrivateBroker()
    for id in ["a", "b"] {
      let session = try BrokerSession(broker, id: id)
      #expect(session.listener.waitForLimits() != nil)
    }
    #expect(ignores || Patience.wait { !Self.ignoresBrokenPipes })
  }
}
