import Testing

@testable import Serving

struct AccessRulesTests {
  private static func rules(_ addresses: [String], port: Int? = 8917) -> AccessRules {
    var rules = AccessRules()
    (rules.addresses, rules.port, rules.hostNames) = (addresses, port, ["Pi.local"])
    return rules
  }

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1:8917", "localhost", "LOCALHOST:8917", "[::1]", "[::1]:8917",
    "[0:0:0:0:0:0:0:1]:8917", "pi.local", "PI.LOCAL:8917",
  ])
  func `W8: our names and addresses are ours`(_ host: String) {
    #expect(Self.rules(["127.0.0.1", "::1"]).isOurs(host))
  }

  @Test(arguments: [
    "", "127.0.0.1:80", "127.0.0.1:8917:1", "127.0.0.2", "evil.example", "evil.example:8917",
    "localhost.evil.example", "127.0.0.1.evil.example", "[::2]", "[::1", "[::1]x", "::1",
    "localhost:", "localhost:08917", "[::1]:", "2130706433", "0x7f.1",
  ])
  func `W8: other names are not, however they are written`(_ host: String) {
    #expect(!Self.rules(["127.0.0.1", "::1"]).isOurs(host))
  }

  @Test func `W8: listening on all addresses, any address is ours, a name is not`() {
    let rules = Self.rules(["0.0.0.0"])
    #expect(rules.isOurs("192.0.2.7:8917"))
    #expect(!rules.isOurs("router.example:8917"))
    #expect(Self.rules(["0.0.0.0"], port: nil).isOurs("192.0.2.7:1234"))
  }
}
