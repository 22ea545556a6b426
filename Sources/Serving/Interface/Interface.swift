import Gathering
import Ground

/// The interface over HTTP (serve section 5): what a request gets, whatever carries it.
///
/// Every call is allowed on any thread. `admit` and quick answers never block.
public final class Interface: Sendable {
  /// What the routes answer about.
  public let served: ServedContext
  let routes: [Route]
  /// Those that are there only where the server controls, and it does not.
  private let closed: [Route]
  private let gate: AccessGate
  private let page: Page

  /// Makes the interface of a context.
  public init(_ served: ServedContext, _ rules: AccessRules, page: [UInt8]) {
    self.served = served
    gate = AccessGate(rules)
    self.page = Page(page)
    let all =
      OverviewRoutes.all(served, rules) + SourceRoutes.all(served) + StreamRoutes.all(served)
      + GraphRoutes.all(served) + RecordingRoutes.all(served) + MetricRoutes.all(served)
      + ControlRoutes.all(served)
    let routes = all.filter { rules.allowsControl || !$0.isControl }
    closed = all.filter { !rules.allowsControl && $0.isControl }
    let document = InterfaceDocument.route(of: routes)
    self.routes = routes + [document, OverviewRoutes.paths(of: routes + [document], served, rules)]
  }

  /// Takes the port that was found free.
  public func setPort(_ port: Int) { gate.change { $0.port = port } }

  /// Takes another token for requests that come from now on.
  public func setToken(_ token: AccessToken) { gate.change { $0.token = token } }

  /// The target of a request that may have an answer. Throws the refusal of any other.
  public func admit(_ request: HTTPRequest, at now: Int64) throws(Refusal) -> Admission {
    try gate.receive(request, at: now)
    let target = try Target(request.target)
    try gate.admit(request, for: target, at: now)
    return Admission(target: target)
  }

  /// Whether an admitted request is answered at once, without reading anything.
  public func isQuick(_ admission: Admission) -> Bool {
    admission.target.path.isEmpty || admission.target.path == ["health"]
  }

  /// Whether an admitted request may wait for a device or a daemon, so that it is answered on a
  /// thread of its own.
  public func isPatient(_ admission: Admission) -> Bool {
    routes.contains { $0.manner == .patient && $0.match(admission.target.path) != nil }
  }

  /// The answer to an admitted request, with its body.
  public func answer(_ request: HTTPRequest, _ admission: Admission) -> HTTPAnswer {
    let answer: HTTPAnswer
    do {
      answer = try respond(to: request, admission.target)
    } catch let refusal as Refusal {
      answer = HTTPAnswer(refusal)
    } catch let error as SourceError {
      answer = HTTPAnswer(Refusal(error))
    } catch {
      answer = HTTPAnswer(Refusal(.io, "\(error)"))
    }
    return readable(answer, by: request)
  }

  /// The answer to a request that is refused.
  public func answer(_ request: HTTPRequest, refusing refusal: Refusal) -> HTTPAnswer {
    readable(HTTPAnswer(refusal), by: request)
  }

  /// The answer as a page of another origin may read it, if the rules name that (W9).
  private func readable(_ answer: HTTPAnswer, by request: HTTPRequest) -> HTTPAnswer {
    var answer = answer
    if let origin = gate.namedOrigin(of: request) {
      let others = answer.fields.filter { $0.name == "Vary" }.map(\.value)
      answer.fields.removeAll { $0.name == "Vary" }
      answer.fields += [
        HeaderField("Access-Control-Allow-Origin", origin),
        HeaderField("Vary", (others + ["Origin"]).joined(separator: ", ")),
      ]
    }
    return answer
  }

  /// The header fields of every answer (W10).
  public var securityFields: [HeaderField] { page.securityFields }

  private func respond(to request: HTTPRequest, _ target: Target) throws -> HTTPAnswer {
    let method = HTTPRequest.Method(rawValue: request.method) ?? .get
    let fitting = routes.compactMap { route in route.match(target.path).map { (route, $0) } }
    if method == .options { return options(for: fitting.map(\.0), isPage: target.path.isEmpty) }
    if target.path.isEmpty || target.path == ["health"] {
      guard method.isReading else {
        throw AccessGate.methods([.get, .head, .options], not: "POST")
      }
      return target.path.isEmpty
        ? page.answer : HTTPAnswer(200, "text/plain", .bytes(Array("ok\n".utf8)))
    }
    if closed.contains(where: { $0.method == method && $0.match(target.path) != nil }) {
      throw Refusal(
        .permission, "this server controls nothing", remedy: "start it with --control")
    }
    if fitting.isEmpty {
      throw Refusal(
        .notFound, "there is nothing at this path", remedy: "GET /api/v1 lists all paths")
    }
    let wanted = method == .head ? .get : method
    guard let (route, names) = fitting.first(where: { $0.0.method == wanted }) else {
      throw AccessGate.methods(Self.methods(of: fitting.map(\.0)), not: request.method)
    }
    let known = route.parameters.map(\.name)
    for parameter in target.parameters where !known.contains(parameter.name) {
      let sentence =
        known.isEmpty
        ? "this path has no parameters"
        : Nearest.sentence(to: parameter.name, among: known, what: "parameter")
      throw Refusal(.invalidArgument, sentence)
    }
    return try route.respond(
      RouteCall(request: request, names: names, parameters: target.parameters))
  }

  private static func methods(of routes: [Route]) -> [HTTPRequest.Method] {
    let own = routes.map(\.method)
    return own + (own.contains(.get) ? [.head] : []) + [.options]
  }

  private func options(for routes: [Route], isPage: Bool) -> HTTPAnswer {
    let methods = isPage ? [.get, .head, .options] : Self.methods(of: routes)
    let names = methods.map(\.rawValue).joined(separator: ", ")
    return HTTPAnswer(
      204, nil, .bytes([]),
      fields: [
        HeaderField("Allow", names), HeaderField("Access-Control-Allow-Methods", "GET, HEAD"),
        HeaderField("Access-Control-Allow-Headers", "Authorization"),
      ])
  }
}

/// That a request was let in, and what it asks for.
public struct Admission: Sendable {
  let target: Target
}
