import GatheredKitTesting
import Gathering
import Glibc
import Testing
import Values

@testable import SourceKinds

/// Servers on loopback that are no good upsd: each costs its own values, in bounded time.
struct HostileUpsdTests {
  private func availability(_ manner: LoopbackServer.Manner) throws -> Availability {
    let server = try LoopbackServer(manner)
    var found = Availability(.available)
    let isSpared = try Patience.isSpared {
      let context = try Context.open(
        "local:nut=127.0.0.1:\(server.port)", allow: .all, catalogue: [UPS()])
      #expect(try context.sources(of: "ups").isEmpty)
      found = try context.open("ups").availability
      try context.close()
    }
    #expect(isSpared)
    return found
  }

  @Test func `a line of 1 MB without end, and a list without end`() throws {
    let long = String(repeating: "x", count: 1 << 20)
    #expect(try availability(.says([long])).errno == ETIMEDOUT)
    #expect(try availability(.says(["BEGIN LIST UPS\nUPS a \"\"\n"])).errno == ETIMEDOUT)
    #expect(try availability(.says([])).errno == ETIMEDOUT)
  }

  @Test func `a server that never stops talking`() throws {
    let rows = (0..<50).map { "UPS u\($0) \"\"\n" }.joined()
    #expect(try availability(.repeats("BEGIN LIST UPS\n" + rows)).errno == ETIMEDOUT)
    let foreign = try availability(.repeats("220 welcome\n"))
    #expect(foreign.detail.hasSuffix("speaks another protocol"))
  }

  @Test func `half a list, and then the end`() throws {
    let found = try availability(.closes(after: "BEGIN LIST UPS\nUPS a \"half"))
    #expect(found.state == .serviceNotRunning)
    #expect(found.remedy.hasPrefix("start upsd on 127.0.0.1:"))
  }

  @Test func `NUL and long lines cost themselves`() throws {
    let long = String(repeating: "d", count: 1 << 20)
    let list = """
      BEGIN LIST UPS
      UPS bad "\u{0}"
      UPS long "\(long)"
      UPS good "fine"
      END LIST UPS

      """
    let server = try LoopbackServer(
      .says([list, "BEGIN LIST VAR good\nEND LIST VAR good\n"], apart: 200_000))
    let context = try Context.open(
      "local:nut=127.0.0.1:\(server.port)", allow: .all, catalogue: [UPS()])
    #expect(try context.sources(of: "ups").map(\.id.description) == ["ups|good"])
    try context.close()
    #expect(Patience.wait { server.received.hasSuffix("LOGOUT\n") })
  }
}
