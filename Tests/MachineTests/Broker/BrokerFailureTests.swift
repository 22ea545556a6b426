import GatheredKitTesting
import Glibc
import Testing

@testable import Machine

@Suite struct BrokerFailureTests {
  @Test(arguments: [
    (Int32(0x84), BrokerFailure.Kind.badVersion), (0x85, .badClientID), (0x86, .badLogin),
    (0x87, .notAuthorised), (0x8A, .banned), (0x8C, .badLogin), (1, .badVersion),
    (2, .badClientID), (4, .badLogin), (5, .notAuthorised),
  ])
  func `F11 refusals that will not mend themselves last`(code: Int32, kind: BrokerFailure.Kind) {
    let failure = BrokerFailure.refused(code, by: "b:1")
    #expect(failure.kind == kind && failure.isLasting && failure.errno != 0)
    #expect(failure.reason.hasPrefix("the broker at b:1 "))
  }

  @Test(arguments: [
    (Int32(3), "it is not available"), (0x88, "it is not available"), (0x89, "it is busy"),
    (0x97, "a quota is used up"), (0x9F, "too many connections are made"),
    (0xFE, "it gave the reason 0xFE"),
  ])
  func `F11 other refusals are tried again soon`(code: Int32, words: String) {
    let failure = BrokerFailure.refused(code, by: "b:1")
    #expect(failure.kind == .refused && !failure.isLasting)
    #expect(failure.reason == "the broker at b:1 refuses the connection: \(words)")
  }

  @Test(arguments: [
    (Int32(0x8B), BrokerFailure.Kind.refused, "it shuts down"),
    (0x8E, .takenOver, "another client has connected by the same id"),
    (0x95, .tooLarge, "a message was longer than it takes"),
    (0x93, .protocolError, "too many messages waited for it"),
    (0x8D, .lost, "it has not heard from us in time"),
  ])
  func `a broker's word on why it ends the connection is kept`(
    code: Int32, kind: BrokerFailure.Kind, words: String
  ) {
    let failure = BrokerFailure.ended(code, errno: 0, at: "b:1")
    #expect(failure.kind == kind)
    #expect(failure.reason == "the broker at b:1 has ended the connection: \(words)")
  }

  @Test func `a message that is refused says what for`() {
    let denied = BrokerFailure.denied(0x87, "a message", by: "b:1")
    #expect(denied.kind == .notAuthorised && denied.errno == EACCES)
    #expect(denied.reason == "the broker at b:1 refuses a message: it is not allowed")
    #expect(BrokerFailure.denied(0x95, "a message", by: "b:1").kind == .tooLarge)
    #expect(BrokerFailure.denied(0x8F, "a subscription", by: "b:1").kind == .invalid)
    #expect(BrokerFailure.denied(0x80, "a subscription", by: "b:1").kind == .refused)
  }

  @Test func `errors of the library are words, not numbers`() {
    let lost = BrokerFailure.ended(14, errno: ECONNRESET, at: "b:1")
    #expect(
      lost.reason == "the connection to the broker at b:1 is lost: connection reset by peer")
    #expect(lost.kind == .lost && lost.errno == ECONNRESET)
    #expect(BrokerFailure.ended(19, errno: 0, at: "b:1").errno == ETIMEDOUT)
    #expect(BrokerFailure.ended(2, errno: 0, at: "b:1").kind == .protocolError)
    #expect(BrokerFailure.ended(7, errno: 0, at: "b:1").kind == .lost)
    #expect(BrokerFailure.rejected(3, errno: 0, at: "b:1").kind == .invalid)
    #expect(BrokerFailure.rejected(25, errno: 0, at: "b:1").kind == .tooLarge)
  }

  @Test func `a missing library has the package as its remedy`() {
    let missing = MissingLibrary(
      library: "libmosquitto.so.1", reason: "not there", package: "libmosquitto1")
    let failure = BrokerFailure.missing(missing)
    #expect(failure.kind == .noLibrary && failure.remedy == "apt install libmosquitto1")
    #expect(failure.errno == ELIBACC && !failure.isLasting)
  }
}

@Suite struct BrokerRetryTests {
  private static let lost = BrokerFailure(.lost, "gone")

  @Test func `F11 the waits double up to 30 s, and are a fifth more or less`() {
    var generator = SeededGenerator(seed: 11)
    var parts: [Double] = []
    for _ in 0..<100 {
      var retry = BrokerRetry()
      for seconds in [1.0, 2, 4, 8, 16, 30, 30] {
        parts.append(Double(retry.delay(after: Self.lost, using: &generator)) / 1e9 / seconds)
      }
    }
    #expect(parts.allSatisfy { $0 >= 0.8 && $0 <= 1.2 })
    #expect(parts.contains { $0 < 0.82 } && parts.contains { $0 > 1.18 })
  }

  @Test func `F11 a refusal that lasts waits a minute, and a good connection begins anew`() {
    var retry = BrokerRetry()
    var generator = SeededGenerator(seed: 12)
    let banned = BrokerFailure(.banned, "banned")
    #expect(retry.delay(after: banned, using: &generator) >= 48_000_000_000)
    for _ in 0..<3 { _ = retry.delay(after: Self.lost, using: &generator) }
    retry.noteEnd(after: 1_000_000_000)
    #expect(retry.delay(after: Self.lost, using: &generator) > 10_000_000_000)
    retry.noteEnd(after: 10_000_000_000)
    #expect(retry.delay(after: Self.lost, using: &generator) <= 1_200_000_000)
  }
}
