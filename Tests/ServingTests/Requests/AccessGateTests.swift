import Gathering
import Testing

@testable import Serving

/// Who is let in, and what the others are told (serve section 3).
struct AccessGateTests {
  private static let token = "a-token-for-tests"
  private typealias Fields = [(name: String, value: String)]

  private static func gate() throws -> AccessGate {
    var rules = AccessRules()
    (rules.addresses, rules.port) = (["127.0.0.1"], 8917)
    (rules.origins, rules.open) = (["https://ours.example"], ["metrics"])
    rules.token = try AccessToken(file: Array("\(token)\r\n".utf8))
    return AccessGate(rules)
  }

  /// The status that a request gets; nil where it is let in.
  private static func status(
    _ gate: AccessGate, _ method: String = "GET", _ path: String = "/api/v1",
    from peer: HTTPRequest.Peer = .address("127.0.0.1"), at now: Int64 = 0, with fields: Fields
  ) throws -> Int? {
    let request = HTTPRequest(method, path, fields: fields, from: peer)
    do throws(Refusal) {
      try gate.receive(request, at: now)
      try gate.admit(request, for: Target(path), at: now)
      return nil
    } catch {
      return error.status.rawValue
    }
  }

  private static let host: Fields = [("Host", "127.0.0.1:8917")]
  private static let bearer: Fields = host + [("Authorization", "Bearer \(token)")]

  @Test func `W7: the token is asked for, in its one form`() throws {
    let gate = try Self.gate()
    #expect(try Self.status(gate, with: Self.bearer) == nil)
    #expect(try Self.status(gate, with: Self.host) == 401)
    for word in ["Bearer x", "Bearer", "Basic \(Self.token)", Self.token, "Bearer \(Self.token) x"]
    {
      #expect(try Self.status(gate, with: Self.host + [("authorization", word)]) == 401, "\(word)")
    }
    #expect(try Self.status(gate, with: Self.bearer + [("Authorization", "Bearer x")]) == 401)
    #expect(
      try Self.status(gate, with: Self.host + [("AUTHORIZATION", "bearer \(Self.token)")]) == nil)
  }

  @Test func `W7: ten wrong tokens of an address in a minute keep it out for one`() throws {
    let gate = try Self.gate()
    let minute: Int64 = 60_000_000_000
    let wrong = Self.host + [("Authorization", "Bearer wrong")]
    for _ in 0..<10 { #expect(try Self.status(gate, with: wrong) == 401) }
    #expect(try Self.status(gate, with: Self.bearer) == 429)
    #expect(try Self.status(gate, from: .address("127.0.0.2"), with: Self.bearer) == nil)
    #expect(try Self.status(gate, at: minute - 1, with: Self.bearer) == 429)
    #expect(try Self.status(gate, at: minute, with: Self.bearer) == nil)
  }

  @Test func `W8: without one Host of ours nothing else is looked at`() throws {
    let gate = try Self.gate()
    let token: Fields = [("Authorization", "Bearer \(Self.token)")]
    #expect(try Self.status(gate, with: token) == 400)
    #expect(try Self.status(gate, with: Self.bearer + Self.host) == 400)
    #expect(try Self.status(gate, with: token + [("Host", "evil.example")]) == 421)
    #expect(try Self.status(gate, "GET", "/", with: [("Host", "evil.example:8917")]) == 421)
    #expect(try Self.status(gate, "BREW", "/", with: [("Host", "evil.example")]) == 421)
  }

  @Test func `W9: pages of other origins get nothing, named ones read`() throws {
    let gate = try Self.gate()
    func status(_ method: String, _ fields: Fields) throws -> Int? {
      try Self.status(gate, method, with: Self.bearer + fields)
    }
    let json: Fields = [("Content-Type", "application/json")]
    #expect(try status("GET", [("Origin", "http://127.0.0.1:8917")]) == nil)
    #expect(try status("GET", [("Origin", "http://127.0.0.1")]) == 403)
    #expect(try status("GET", [("Origin", "null")]) == 403)
    #expect(try status("GET", [("Origin", "https://ours.example")]) == nil)
    #expect(try status("GET", [("Origin", "https://ours.example.evil")]) == 403)
    #expect(try status("POST", [("Origin", "https://ours.example")] + json) == 403)
    #expect(try status("GET", [("Sec-Fetch-Site", "cross-site")]) == 403)
    #expect(try status("GET", [("Sec-Fetch-Site", "same-origin")]) == nil)
    #expect(try status("POST", []) == 400)
    #expect(try status("POST", [("Content-Type", "text/plain")]) == 400)
    #expect(try status("DELETE", [("Content-Type", "application/json; charset=utf-8")]) == nil)
  }

  @Test func `W11: the page, health and what is public need no token`() throws {
    let gate = try Self.gate()
    for path in ["/", "/health", "/metrics"] {
      #expect(try Self.status(gate, "GET", path, with: Self.host) == nil, "\(path)")
    }
    for path in ["/ready", "/api/v1/sources", "/health/x", "//metrics"] {
      #expect(try Self.status(gate, "GET", path, with: Self.host) == 401, "\(path)")
    }
  }

  @Test func `W3: of a Unix socket the file decides, not the token`() throws {
    let gate = try Self.gate()
    #expect(try Self.status(gate, from: .process(isAdmitted: true), with: [("Host", "any")]) == nil)
    #expect(
      try Self.status(gate, from: .process(isAdmitted: false), with: [("Host", "any")]) == 403)
  }

  @Test func `W16: sixty at once and twenty a second, of each address`() throws {
    let gate = try Self.gate()
    let first = try (0..<100).map { _ in try Self.status(gate, with: Self.bearer) }
    #expect(first.filter { $0 == nil }.count == 60)
    #expect(first.suffix(40).allSatisfy { $0 == 429 })
    #expect(try Self.status(gate, at: 49_000_000, with: Self.bearer) == 429)
    #expect(try Self.status(gate, at: 50_000_000, with: Self.bearer) == nil)
    #expect(try Self.status(gate, from: .address("::1"), at: 50_000_000, with: Self.bearer) == nil)
  }

  @Test(arguments: ["", "\n", "two words\n", "t\u{7}\n", "ü\n"])
  func `W7: a file that is no token is told so`(_ text: String) {
    #expect(throws: SourceError.self) { try AccessToken(file: Array(text.utf8)) }
  }

  @Test func `W7: tokens are random, and long`() {
    let tokens = (0..<100).map { _ in AccessToken.random().text }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.count == 43 && !$0.contains { "+/=".contains($0) } })
  }
}
