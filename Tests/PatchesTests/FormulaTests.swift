import Gathering
import Testing

@testable import Patches

/// The formulas of `math`.
struct FormulaTests {
  @Test func `formulas have the usual precedence`() throws {
    let cases: [(String, Expression.Number)] = [
      ("1 + 2 * 3", .real(7)), ("(1 + 2) * 3", .real(9)), ("2 ^ 3 ^ 2", .real(512)),
      ("-2 ^ 2", .real(-4)), ("2 ** -1", .real(0.5)), ("7 % 4", .real(3)), ("10 / 4", .real(2.5)),
      ("1 < 2 && 2 >= 2", .truth(true)), ("!(1 == 1) || 1 != 2", .truth(true)),
      ("a > b ? a : b", .real(5)), ("if(a > b, 1, 0)", .real(1)),
      ("max(a, b) - min(a, b)", .real(2)),
      ("abs(-a) + floor(2.7)", .real(7)), ("round(2.5)", .real(3)), ("1e3 + .5", .real(1000.5)),
      ("a - b - 1", .real(1)), ("a / 0", .real(.infinity)), ("log10(1000)", .real(3)),
    ]
    for (text, expected) in cases {
      let got = try Expression(text).value(a: .real(5), b: .real(3))
      #expect(abs(got.real - expected.real) < 1e-12 || got == expected, "\(text)")
    }
  }

  @Test func `faults have their column, patches 2.8`() {
    let faults = [
      ("", 1), ("1 +", 4), ("a b", 3), ("(a", 3), ("foo(a)", 1), ("min(a)", 7), ("a $ b", 3),
      ("1.2.3", 1), ("a ? b", 6),
    ]
    for (text, column) in faults {
      #expect("\(text)") {
        _ = try Expression(text)
      } throws: { ($0 as? Expression.Fault)?.column == column }
    }
  }

  @Test func `no text breaks the parser`() {
    for text in [
      String(repeating: "(", count: 100_000), String(repeating: "-", count: 9_000),
      String(repeating: "1+", count: 4_000) + "1", String(repeating: "a?", count: 4_000), "\u{0}",
      "é",
    ] {
      #expect(throws: Expression.Fault.self) { try Expression(text) }
    }
  }
}
