import Gathering
import Testing
import Values

struct DoctorTests {
  @Test func `A6: doctor names every kind and mechanism, and absence is no failure`() throws {
    let outcome = try Program.run("doctor", "--context", "sim:empty")
    #expect(outcome.code == 0)
    for kind in ["battery", "memory", "network", "storage"] {
      #expect(outcome.lines.contains { $0.hasPrefix(kind + " ") })
    }
    #expect(outcome.output.contains("MECHANISM"))
  }

  @Test func `A6: the same data as JSON`() throws {
    let outcome = try Program.run("doctor", "--json", "--context", "sim:laptop")
    guard case .dictionary(let report) = try Value(json: outcome.output),
      case .list(let kinds) = report["kinds"] ?? .none
    else {
      Issue.record("no report: \(outcome.output)")
      return
    }
    #expect(kinds.count >= 10)
    #expect(report.keys == ["version", "kinds", "mechanisms"])
  }
}
