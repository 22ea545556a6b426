import Testing
import Values

/// Options of a dictionary.
struct OptionsTests {
  private func options(_ members: ValueDictionary) -> Options { Options(members, of: "a store") }

  @Test func `each option is taken once, and NONE is as if it were not there`() throws {
    var given = options([
      "name": .string("n"), "count": .int(3), "share": .double(0.5), "flag": .bool(true),
      "wait_ns": .int(5), "nothing": .none,
    ])
    let names = [try given.text("name"), try given.text("name")]
    #expect(names == ["n", nil])
    let (count, share) = (try given.count("count"), try given.share("share"))
    #expect(count == 3 && share == 0.5)
    let (flag, wait) = (try given.flag("flag"), try given.duration("wait_ns"))
    #expect(flag == true && wait == .nanoseconds(5))
    let nothing = given.value("nothing")
    #expect(nothing == nil)
    try given.finish()
  }

  @Test func `what is wrong is named`() {
    var given = options(["name": .int(1), "count": .int(-1), "share": .int(2), "other": .int(0)])
    #expect(throws: OptionError("name of a store must be a STRING")) { try given.text("name") }
    #expect(throws: OptionError("count of a store must be an INT, 0 or more")) {
      try given.count("count")
    }
    #expect(throws: OptionError("share of a store must be from 0 to 1")) {
      try given.share("share")
    }
    #expect(throws: OptionError("a store needs a path")) {
      try given.required(String?.none, "a path")
    }
    #expect(throws: OptionError(#"a store has no option "other""#)) { try given.finish() }
  }
}
