import Testing
import Values

struct ValueFormatterTests {
  private static let table: [(Value, String?, String)] = [
    (Value.double(0.1), nil, "0.1"), (.double(5), "V", "5 V"), (.double(-0.0), nil, "-0"),
    (.double(1e16), nil, "1e+16"), (.double(123456.789), "Pa", "123456.789 Pa"),
    (.double(0.1 + 0.2), nil, "0.30000000000000004"), (.double(1e-7), "T", "1e-07 T"),
    (.double(.nan), nil, "nan"), (.double(-.nan), "V", "nan V"), (.double(.infinity), nil, "inf"),
    (.int(.min), "By", "-9223372036854775808 By"), (.int(3), "1", "3"), (.double(0.5), "", "0.5"),
    (.vector(Vector(1, -2.5, 0.001)), "m/s2", "(1, -2.5, 0.001) m/s2"),
    (.vector(Vector(1, 2)), "1", "(1, 2)"), (.bool(true), "1", "true"),
    (.bool(false), "V", "false"),
    (.none, "V", "–"), (.string("text"), "V", "text"),
    (
      .string("a\nb\u{7F}\u{85}\0é"), nil,
      "a\u{FFFD}b\u{FFFD}\u{FFFD}\u{FFFD}é"
    ),
    (.bytes([0, 0xAB, 0x0F]), "V", "00ab0f"), (.bytes([]), nil, ""),
    (.list([.int(1), .double(2), .string("a")]), "V", "[1,2.0,\"a\"]"),
    (.dictionary(["b": .none, "a": .bool(true)]), nil, "{\"b\":null,\"a\":true}"),
    (.list([.double(.nan)]), nil, "[nan]"), (.double(1), "a\nb", "1 a\u{FFFD}b"),
  ]

  @Test(arguments: table)
  func `R10: each type prints as people read it`(value: Value, unit: String?, text: String) {
    #expect(value.formatted(unit: unit) == text)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (1_700_000_000_500_000_000, "2023-11-14T22:13:20.5Z"),
    (1_700_000_000_000_000_001, "2023-11-14T22:13:20.000000001Z"),
    (-1, "1969-12-31T23:59:59.999999999Z"), (951_782_400_000_000_000, "2000-02-29T00:00:00Z"),
    (951_868_799_120_000_000, "2000-02-29T23:59:59.12Z"),
    (1_709_251_199_000_000_000, "2024-02-29T23:59:59Z"),
    (4_107_542_400_000_000_000, "2100-03-01T00:00:00Z"),
    (-2_203_891_200_000_000_000, "1900-03-01T00:00:00Z"),
    (Int64.max, "2262-04-11T23:47:16.854775807Z"), (Int64.min, "1677-09-21T00:12:43.145224192Z"),
  ])
  func `R10: a time is ISO 8601 in UTC, cut at trailing zeros`(nanoseconds: Int64, text: String) {
    #expect(Value.time(nanoseconds).formatted() == text)
  }

  @Test func `R10: every day from 1900 to 2100 follows the one before`() {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var (year, month, day) = (1900, 1, 1)
    for offset in -25_567..<47_482 {
      let text = Value.time(Int64(offset) * 86_400_000_000_000).formatted()
      let two = { (number: Int) in (number < 10 ? "0" : "") + String(number) }
      #expect(text == "\(year)-\(two(month))-\(two(day))T00:00:00Z")
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      day += 1
      if day > lengths[month - 1] + (isLeap && month == 2 ? 1 : 0) { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
    #expect(year == 2100)
  }

  @Test func `R10: what is nested too deep is cut, not refused`() {
    var value = Value.int(1)
    for _ in 0..<200 { value = .list([value]) }
    #expect(value.formatted().contains("[…]"))
  }
}
