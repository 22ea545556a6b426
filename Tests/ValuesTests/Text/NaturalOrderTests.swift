import GatheredKitTesting
import Testing
import Values

struct NaturalOrderTests {
  @Test func `H1: digits count as numbers`() {
    let names = [
      "BAT10", "BAT2", "BAT", "BAT1", "eDP-1", "BAT02", "BAT18446744073709551617", "a10b2",
      "a10b10",
      "a9", "A", "",
    ]
    #expect(
      names.sorted(by: NaturalOrder.areInIncreasingOrder) == [
        "", "A", "BAT", "BAT1", "BAT02", "BAT2", "BAT10", "BAT18446744073709551617", "a9",
        "a10b2", "a10b10", "eDP-1",
      ])
  }

  @Test func `the order is total: of two different names exactly one comes first`() {
    var random = SeededGenerator(seed: 7)
    let letters = Array("a0019é")
    let names = (0..<80).map { _ in
      String((0..<5).compactMap { _ in letters.randomElement(using: &random) })
    }
    for left in names {
      for right in names {
        let first = NaturalOrder.areInIncreasingOrder(left, right)
        let last = NaturalOrder.areInIncreasingOrder(right, left)
        #expect((first != last) == (left != right))
        #expect(!(first && last))
      }
    }
    let sorted = names.sorted(by: NaturalOrder.areInIncreasingOrder)
    #expect(names.reversed().sorted(by: NaturalOrder.areInIncreasingOrder) == sorted)
  }
}
