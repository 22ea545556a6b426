import Ground

/// Decides which requests are answered (serve section 3), in the order of that section: the name
/// that was asked for, how often, the page it comes from, and the token.
final class AccessGate: Sendable {
  private let present: Lock<AccessRules>
  private let limits = AddressLimits()

  init(_ rules: AccessRules) { present = Lock(rules) }

  var rules: AccessRules { present.withLock { $0 } }

  /// Changes the rules for requests that come from now on.
  func change(_ body: (inout AccessRules) -> Void) {
    var new = rules
    body(&new)
    let former = present.withLock { present in
      defer { present = new }
      return present
    }
    withExtendedLifetime(former) {}
  }

  /// Lets a request as far as its target. Throws the refusal of one for another host, or of one
  /// too many.
  func receive(_ request: HTTPRequest, at now: Int64) throws(Refusal) {
    try checkHost(request)
    try limits.admit(request.peer, at: now)
  }

  /// Lets a received request in. Throws the refusal of one that stays outside.
  func admit(_ request: HTTPRequest, for target: Target, at now: Int64) throws(Refusal) {
    guard let method = HTTPRequest.Method(rawValue: request.method) else {
      throw Self.methods(HTTPRequest.Method.allCases, not: request.method)
    }
    try checkOrigin(request)
    if method == .options { return }
    try checkToken(request, for: target, at: now)
    if !method.isReading, request.value(of: "content-type").map(Self.isJSON) != true {
      throw Refusal(
        .invalidArgument, "\(method.rawValue) needs Content-Type: application/json")
    }
  }

  /// Only a name of ours is answered: a page whose name was made to point here gets nothing.
  private func checkHost(_ request: HTTPRequest) throws(Refusal) {
    let rules = rules
    let hosts = request.values(of: "host")
    guard hosts.count == 1 else {
      throw Refusal(.invalidArgument, "a request has one Host field, not \(hosts.count)")
    }
    if case .process = request.peer { return }
    if rules.isOurs(hosts[0]) { return }
    throw Refusal(
      .permission, "this server is not the host that was asked for",
      remedy: "ask for its address or localhost, or start it with --host-name",
      status: .misdirected)
  }

  private func checkOrigin(_ request: HTTPRequest) throws(Refusal) {
    if let origin = namedOrigin(of: request) {
      if request.method == "GET" || request.method == "OPTIONS" || request.method == "HEAD" {
        return
      }
      throw Refusal(.permission, "pages of \(origin) may only read")
    }
    let origins = request.values(of: "origin")
    let isOwn = origins.allSatisfy { $0 == "http://\(request.value(of: "host") ?? "")" }
    let isForeign = request.values(of: "sec-fetch-site").contains { $0 == "cross-site" }
    if origins.count > 1 || !isOwn || isForeign {
      throw Refusal(
        .permission, "pages of other origins may not ask", remedy: "start it with --origin")
    }
  }

  /// The origin of a request, if it is one of those that the rules name.
  func namedOrigin(of request: HTTPRequest) -> String? {
    request.value(of: "origin").flatMap { rules.origins.contains($0) ? $0 : nil }
  }

  private func checkToken(
    _ request: HTTPRequest, for target: Target, at now: Int64
  ) throws(Refusal) {
    if case .process(let isAdmitted) = request.peer {
      if isAdmitted { return }
      throw Refusal(
        .permission, "this user may not ask", remedy: "join the group of the socket's file")
    }
    guard let token = rules.token, !isOpen(target) else { return }
    let words = request.values(of: "authorization").map { $0.split(separator: " ") }
    if words.count == 1, words[0].count == 2, words[0][0].lowercased() == "bearer",
      token.isSame(as: String(words[0][1]))
    {
      return
    }
    if !words.isEmpty { limits.fail(request.peer, at: now) }
    throw Refusal(
      .permission, words.isEmpty ? "a token is needed" : "the token is wrong",
      remedy: "open the link that the server has printed", status: .unauthorized,
      fields: [HeaderField("WWW-Authenticate", "Bearer")])
  }

  /// Whether the page, or what was declared public, is asked for (W11).
  private func isOpen(_ target: Target) -> Bool {
    if target.path.isEmpty || target.path == ["health"] { return true }
    return rules.open.contains { target.path.first == $0 }
  }

  static func methods(_ methods: [HTTPRequest.Method], not method: String) -> Refusal {
    let names = methods.map(\.rawValue).joined(separator: ", ")
    return Refusal(
      .notSupported, "the method has to be one of \(names)", status: .methodNotAllowed,
      fields: [HeaderField("Allow", names)])
  }

  private static func isJSON(_ type: String) -> Bool {
    type.prefix { $0 != ";" }.lowercased().filter { $0 != " " } == "application/json"
  }
}
