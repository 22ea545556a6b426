import Testing

@testable import Gathering

/// Sources C1 for `ip:` and `iio=`.
@Suite struct RemoteURITests {
  @Test(arguments: [
    "pi.local", "pi.local:30431", "192.168.1.7", "192.168.1.7:1", "[fe80::1]:65535", "fe80::1",
    "my_host-2",
  ])
  func `a host, with a port or without, is what an ip context opens`(host: String) throws {
    let uri = try ContextURI("ip:" + host)
    #expect(uri.target == .remote(host: host))
    #expect(!uri.hasManualClock)
    #expect(try ContextURI("local:iio=ip:" + host).redirections["iio"] == "ip:" + host)
  }

  @Test(arguments: [
    "ip:", "ip::80", "ip:host:", "ip:host:0", "ip:host:65536", "ip:host:-1", "ip:host:+1",
    "ip:host:80x", "ip:ho st", "ip:host/path", "ip:user@host", "ip:[fe80::1", "ip:[host]:1",
    "ip:[fe80::1]80", "ip:host&clock=manual", "ip:host&root=x", "ip:%ZZ", "ip:ho%00st",
    "local:iio=", "local:iio=pi.local", "local:iio=ip:", "local:iio=ip:host:99999",
  ])
  func `what names no host is an invalid argument`(text: String) {
    let error = #expect(throws: SourceError.self) { _ = try ContextURI(text) }
    guard case .invalidArgument = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
