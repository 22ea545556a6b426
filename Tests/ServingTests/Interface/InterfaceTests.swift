import GatheredKit
import Gathering
import Machine
import Testing
import Values

@testable import Serving

/// What requests get (serve section 5), without a network.
struct InterfaceTests {
  private static func interface(
    _ uri: String = "sim:laptop&clock=manual", allow: Allowance = .none
  ) throws -> Interface {
    let context = try Context.open(uri, allow: allow, mode: .thread)
    let served = try ServedContext(context, allow: allow, ServedContext.Settings())
    return Interface(served, AccessRules(), page: Array("<script>1</script>".utf8))
  }

  private static func answer(
    _ interface: Interface, _ path: String, _ method: String = "GET", at second: Int64 = 0
  ) throws -> (status: Int, value: Value, fields: [HeaderField]) {
    let request = HTTPRequest(
      method, path, fields: [("Host", "localhost")], from: .process(isAdmitted: true))
    let answer = interface.answer(request, try interface.admit(request, at: second * 1_000_000_000))
    guard case .bytes(let bytes) = answer.body else { return (answer.status, .none, answer.fields) }
    return (answer.status, (try? Value(json: bytes)) ?? .none, answer.fields)
  }

  private static func member(_ value: Value, _ names: String...) -> Value? {
    names.reduce(value) { value, name in
      guard case .dictionary(let members)? = value else { return nil }
      return members[name]
    }
  }

  @Test func `every path that the interface lists answers`() throws {
    let interface = try Self.interface()
    for route in interface.routes where route.method == .get && route.names.isEmpty {
      let answer = try Self.answer(interface, route.template)
      #expect(answer.status == 200, "\(route.template)")
    }
  }

  @Test func `every source that is listed is there, with its reading`() throws {
    let interface = try Self.interface(allow: .all)
    guard
      case .list(let rows)? = Self.member(
        try Self.answer(interface, "/api/v1/sources").value, "sources")
    else { throw Refusal(.notFound, "no list") }
    #expect(rows.count > 20)
    for (second, row) in zip(Int64(0)..., rows) {
      let id = Self.member(row, "id")?.text ?? ""
      let path = "/api/v1/sources/" + id.replacing("%", with: "%25").replacing("|", with: "%7C")
      #expect(Self.member(try Self.answer(interface, path, at: second).value, "id")?.text == id)
      let reading = try Self.answer(interface, path + "/values", at: second)
      #expect(reading.status == 200 && Self.member(reading.value, "id")?.text == id, "\(id)")
    }
  }

  @Test(arguments: [
    ("/api/v1/sources/batery", 404, "did you mean battery"),
    ("/api/v1/sources?knd=cpu", 400, "did you mean kind"),
    ("/api/v1/doctor?x", 400, "no parameters"), ("/api/v1/nothing", 404, "nothing at this path"),
    ("/api/v1/graphs/alarms", 404, "graph"), ("/api/v1/recordings/x.gkr", 404, "--recordings"),
    ("/api/v1/stream?source=battery;every=0", 400, "from 0.002 to 86400"),
    ("/api/v1/stream?source=battery;every=-1", 400, "from 0.002"),
    ("/api/v1/stream?source=battery;every=1e999", 400, "from 0.002"),
    ("/api/v1/stream?source=battery;evry=1", 400, ";every=SECONDS"),
    ("/api/v1/stream?frames=2&source=cpu", 400, "0 or 1"),
    ("/api/v1/sources/battery/values?timeout=x", 400, "timeout"),
  ])
  func `a mistake is told, with what was meant`(_ path: String, _ status: Int, _ text: String)
    throws
  {
    let answer = try Self.answer(try Self.interface(), path)
    #expect(answer.status == status)
    let message = Self.member(answer.value, "error", "message")?.text ?? ""
    let remedy = Self.member(answer.value, "error", "remedy")?.text ?? ""
    #expect((message + remedy).contains(text), "\(message) \(remedy)")
  }

  @Test func `a method that a path has not is told, with those it has`() throws {
    let interface = try Self.interface()
    let request = HTTPRequest(
      "DELETE", "/api/v1/doctor",
      fields: [("Host", "x"), ("Content-Type", "application/json")],
      from: .process(isAdmitted: true))
    let answer = interface.answer(request, try interface.admit(request, at: 0))
    #expect(answer.status == 405)
    #expect(answer.fields.contains(HeaderField("Allow", "GET, HEAD, OPTIONS")))
    #expect(try Self.answer(interface, "/api/v1/doctor", "HEAD").status == 200)
    #expect(try Self.answer(interface, "/api/v1/doctor", "OPTIONS").status == 204)
  }

  @Test func `W15: without control no path changes anything`() throws {
    let interface = try Self.interface()
    #expect(!interface.routes.contains { $0.isControl })
    #expect(interface.routes.filter { $0.method != .get }.map(\.template) == ["/api/v1/replay"])
  }

  @Test func `W10: the policy names the page's own script by its hash`() throws {
    let policy = try Self.interface().securityFields.first?.value ?? ""
    // printf 1 | openssl dgst -sha256 -binary | base64
    #expect(policy.contains("script-src 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='"))
    #expect(policy.contains("style-src 'none'"))
  }

  @Test func `what waits for a device has a thread of its own`() throws {
    let interface = try Self.interface()
    let request = { (path: String) in
      HTTPRequest("GET", path, fields: [("Host", "x")], from: .process(isAdmitted: true))
    }
    for (path, isPatient) in [
      ("/api/v1/sources/battery/values", true), ("/metrics", true), ("/api/v1/doctor", true),
      ("/ready", true), ("/api/v1/stream?source=battery", true), ("/api/v1", false),
      ("/api/v1/recordings", false),
    ] {
      let admission = try interface.admit(request(path), at: 0)
      #expect(interface.isPatient(admission) == isPatient, "\(path)")
    }
  }

  @Test func `a value tells what its backend gave, if that is asked for`() throws {
    let interface = try Self.interface()
    let plain = try Self.answer(interface, "/api/v1/sources/battery").value
    #expect(Self.member(plain, "id") != nil && Self.member(plain, "raw") == nil)
    let answer = try Self.answer(interface, "/api/v1/sources/battery?raw=1").value
    #expect(Self.member(answer, "raw", "level", "place")?.text != nil)
    guard case .int(let sequence)? = Self.member(answer, "raw", "level", "sequence") else {
      throw Refusal(.notFound, "no sequence")
    }
    #expect(sequence >= 1)
    // Of a value that is withheld nothing is told.
    #expect(Self.member(answer, "raw", "serial", "status")?.text == "permission")
    #expect(Self.member(answer, "raw", "serial", "raw") == nil)
  }

  @Test func `W6: a source of another device tells which`() throws {
    let id = try SourceIdentifier(parsing: "battery|BAT0@phone")
    let row = { (id: SourceIdentifier) in
      SourceFacts.row(
        SourceDescription(
          id: id, name: "Battery", label: "BAT0", availability: Availability(.available)),
        isUpdating: false)
    }
    #expect(row(id)["device"] == .string("phone"))
    #expect(row(try SourceIdentifier(parsing: "battery|BAT0"))["device"] == nil)
  }

  @Test func `an absent source is an answer`() throws {
    let answer = try Self.answer(try Self.interface("sim:empty"), "/api/v1/sources/battery/values")
    #expect(answer.status == 200)
    guard case .list(let status)? = Self.member(answer.value, "status", "level") else {
      throw Refusal(.notFound, "no status")
    }
    #expect(status.count == 3)
  }
}
