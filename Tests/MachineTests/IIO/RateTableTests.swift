import Testing

@testable import Machine

private let millisecond: Int64 = 1_000_000

/// What an interval is granted follows from the device and the interval (sources I3).
@Suite struct RateTableTests {
  @Test func `several rates grant the nearest, whichever is set`() {
    let rates = RateChoice("25 100 400")
    let slow = RateTable(present: 40 * millisecond, before: nil, choice: rates, wrote: "25")
    let fast = RateTable(present: 2_500_000, before: nil, choice: rates, wrote: "400")
    for table in [slow, fast, fast.remembering(slow)] {
      #expect(table.granted(for: 90 * millisecond) == 40 * millisecond)
      #expect(table.granted(for: 40 * millisecond) == 40 * millisecond)
      #expect(table.granted(for: 20 * millisecond) == 10 * millisecond)
      #expect(table.granted(for: 3 * millisecond) == 2_500_000)
      #expect(table.granted(for: 1) == 2_500_000)
    }
  }

  @Test func `what the device said of a rate counts, also when it runs at another`() {
    let rates = RateChoice("[10 1 500]")
    let slow = RateTable(present: 19_500_000, before: nil, choice: rates, wrote: "50")
    #expect(slow.granted(for: 20 * millisecond) == 19_500_000)
    let fast = RateTable(present: 2 * millisecond, before: 19_500_000, choice: rates, wrote: "500")
    #expect(fast.granted(for: 20 * millisecond) == 20 * millisecond)
    #expect(fast.remembering(slow).granted(for: 20 * millisecond) == 19_500_000)
  }

  @Test(
    arguments: [
      // The write was refused, made no difference, or there was nothing to write.
      (RateChoice.any, nil, Int64?(2_000_000)), (.any, "50", 2_000_000),
      (.list(["500"]), "500", nil), (RateChoice("25 100 400"), nil, 2_000_000),
    ] as [(RateChoice, String?, Int64?)])
  func `one rate grants what was asked, thinned, and is never set anew`(
    choice: RateChoice, wrote: String?, before: Int64?
  ) {
    let table = RateTable(present: 2_000_000, before: before, choice: choice, wrote: wrote)
    #expect(table.granted(for: 20 * millisecond) == 20 * millisecond)
    #expect(table.granted(for: millisecond) == 2 * millisecond)
    #expect(table.covers(millisecond, with: 20 * millisecond))
    #expect(RateTable.silent.granted(for: 20 * millisecond) == 20 * millisecond)
  }

  @Test func `hardware is set anew only for a rate it does not have yet`() {
    let table = RateTable(
      present: 10 * millisecond, before: nil, choice: RateChoice("25 100 400"), wrote: "100")
    #expect(table.covers(50 * millisecond, with: 20 * millisecond))
    #expect(table.covers(12 * millisecond, with: 20 * millisecond))
    #expect(!table.covers(5 * millisecond, with: 20 * millisecond))
  }
}
