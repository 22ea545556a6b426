import Testing
import Values

@testable import Serving

/// Numbers as JavaScript reads them (serve W21).
struct JSONBodyTests {
  @Test(arguments: [
    (Value.int(1 << 53), "9007199254740992"), (.int((1 << 53) + 1), "\"9007199254740993\""),
    (.int(-(1 << 53) - 1), "\"-9007199254740993\""), (.double(0.5), "0.5"),
    (.double(.infinity), "null"), (.double(.nan), "null"),
    (.time(1_795_726_814_298_012_907), "{\"time_ns\":\"1795726814298012907\"}"),
    (.list([.int(.max), .none]), "[\"9223372036854775807\",null]"),
    (.dictionary(["a": .double(.nan)]), "{\"a\":null}"),
  ])
  func `what JavaScript would round is a text`(_ value: Value, _ text: String) {
    #expect(JSONBody.text(value) == text)
  }
}
