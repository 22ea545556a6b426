import Testing

/// No test fails because a machine is slow: a deadline is counted from the beginning of the work it
/// belongs to, never from when a test is queued, and is the one long patience of its language.
struct DeadlineTests {
  /// The one place that knows how long, and what tests waiting itself.
  private static let patient: Set = [
    "Sources/GatheredKitTesting/Patience.swift", "Tests/GroundTests/Locks/MonitorTests.swift",
  ]

  private static let waiting = (Checkout.tests + Checkout.sources).filter {
    ($0.path.hasPrefix("Tests/") || $0.target == "GatheredKitTesting")
      && !patient.contains($0.path) && !["Benchmarks", "Fuzz"].contains($0.target)
  }

  @Test func `no test has a limit that counts from when it was queued`() {
    #expect(Self.waiting.flatMap { $0.places { $0.contains("timeLimit") } } == [])
  }

  @Test func `Swift tests wait with Patience, and measure no work but with it`() {
    let own = #/\bmoment\(after:|Task\.sleep|ContinuousClock|SuspendingClock/#
    // How long something took is no more than a lower bound of anything.
    let measured = #/\b(boot|now) - \w+ <=? /#
    // What waits with a limit is tested by its limits.
    let files = Self.waiting.filter { $0.path != "Tests/GroundTests/Locks/MonitorTests.swift" }
    let places = files.flatMap { file in
      file.places { $0.contains(own) || $0.contains(measured) }
    }
    #expect(places == [])
    #expect(Self.waiting.count > 100)
  }

  @Test func `what waits for a context gives it no time, or all there is`() {
    // A tenth of a second is a turn of a loop that goes round until something holds.
    let calls = #/\b(?:dispatch|flush)\(timeout: ([0-9_]+)\)/#
    let places = Self.waiting.flatMap { file in
      file.places { line in
        line.matches(of: calls).contains { match in
          (Int(match.1.replacing("_", with: "")) ?? 0) > 100_000_000
        }
      }
    }
    #expect(places == [])
  }

  @Test func `C tests wait with PATIENCE`() {
    let calls =
      #/(flush|result|dispatch|next_frame|future_wait|alarm)\([^;]*?, ?(\d+ \* )?SECOND\)/#
    let files = Checkout.files.filter { $0.path.hasPrefix("bindings/c/tests/") }
    let places = files.flatMap { file in
      file.places { $0.contains(calls) || $0.contains(#/alarm\(\d/#) }
    }
    #expect(places == [])
    #expect(files.count > 40)
  }

  @Test func `scripts give what they run ten minutes at least`() {
    let scripts = Checkout.files.filter { file in
      file.path.hasPrefix(".ci/") || file.path == "bindings/c/tests/run"
    }
    let places = scripts.flatMap { file in
      file.places { line in
        line.matches(of: #/\btimeout (\d+) /#).contains { (Int($0.1) ?? 0) < 600 }
      }
    }
    #expect(places == [])
    #expect(scripts.count > 10)
  }
}
