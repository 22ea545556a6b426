import CommandOptions
import GatheredKitTesting
import Testing
import Values

@testable import gathered

/// What the tools of `gathered mcp` answer: the JSON of the command, in bounds, with what devices
/// say marked as data, and nothing that was not granted.
struct McpToolTests {
  @Test func `the JSON is that of the command`() throws {
    let simulated = ["--context", "sim:laptop&clock=manual"]
    let list = try Assistant.answer(to: "list", #"{"kind":"battery"}"#, simulated)
    let listed = try Program(["list", "battery", "--json"] + simulated).finish()
    #expect(list["sources"] == (try Value(json: listed.output)))
    let read = try Assistant.answer(to: "read", #"{"ids":["memory","battery/level"]}"#, simulated)
    let printed = try Program(["read", "memory", "battery/level", "--json"] + simulated).finish()
    let values = try printed.lines.map { try Value(json: $0).members["values"] }
    #expect(read["sources"]?.items.map { $0.members["values"] } == values)
    let kinds = try Assistant.answer(to: "kinds", #"{"kind":"fan"}"#, simulated)
    #expect(kinds["kinds"] == (try Value(json: try Program.run("kinds", "fan", "--json").output)))
    let doctor = try Assistant.answer(to: "doctor", #"{"kind":"battery"}"#, simulated)
    let report = try Value(json: try Program(["doctor", "--json"] + simulated).finish().output)
    let row = report.members["kinds"]?.items.first { $0.members["kind"]?.text == "battery" }
    #expect(doctor["kinds"]?.items == row.map { [$0] })
  }

  @Test func `text and structure of an answer are the same`() throws {
    let assistant = try Assistant([Assistant.call("list", #"{"kind":"battery"}"#)])
    let result = assistant.answers[0]["result"]?.members
    #expect(
      result?["structuredContent"]?.members == (try Assistant.content(of: assistant.answers[0])))
    #expect(result?["isError"] == nil)
  }

  @Test func `one value is explained, also where the machine has none`() throws {
    let level = try Assistant.answer(to: "explain", #"{"id":"battery/level"}"#)
    let property = level["properties"]?.items.first?.members
    #expect(level["properties"]?.items.count == 1)
    #expect(property?["meaning"] == .string("how full it is"))
    #expect(property?["origin"]?.text?.contains("capacity") == true)
    #expect(property?["maximum"] == .double(1))
    #expect(level["value"]?.members["status"] == .string("ok"))
    let absent = try Assistant.answer(
      to: "explain", #"{"id":"battery/level"}"#, ["--context", "sim:empty"])
    #expect(absent["source"]?.members["reason"] == .string("noHardware"))
    #expect(absent["properties"] == level["properties"])
    let gps = try Assistant.answer(to: "explain", #"{"id":"gps"}"#)
    #expect(gps["source"]?.members["remedy"] == .string("open the context with allow=location"))
  }

  @Test(arguments: [
    ("read", #"{"ids":["batery"]}"#, "did you mean battery?"),
    ("read", #"{"ids":["battery/levl"]}"#, "did you mean level?"),
    ("explain", #"{"id":"mem ory"}"#, "byte 3"),
    ("kinds", #"{"kind":"fann"}"#, "did you mean fan?"),
    ("watch", #"{"ids":["memry"]}"#, "did you mean memory?"),
    ("query", "{}", "no recording is offered"),
  ])
  func `what cannot be answered is a failure with words`(
    tool: String, arguments: String, words: String
  ) throws {
    let answer = try Assistant([Assistant.call(tool, arguments)]).answers[0]
    #expect(answer["result"]?.members["isError"] == .bool(true))
    let content = try Value.dictionary(Assistant.content(of: answer)).json()
    #expect(content.contains(words))
  }

  @Test func `E1: an empty list is an answer, with the reason beside it`() throws {
    let answer = try Assistant(
      [Assistant.call("list", #"{"kind":"battery"}"#)], ["-c", "sim:empty"])
    #expect(answer.answers[0]["result"]?.members["isError"] == nil)
    let content = try Assistant.content(of: answer.answers[0])
    #expect(content["sources"] == .list([]))
    let reason = content["failures"]?.items.first?.members["error"]?.text
    #expect(reason?.hasPrefix("battery: no such hardware") == true)
  }

  @Test func `an answer names what it withholds, and no call can have more`() throws {
    let ids = #"{"ids":["device_metadata","wifi"]}"#
    let closed = try Assistant.answer(to: "read", ids)
    let categories = closed["withheld"]?.items.map { $0.members["category"]?.text }
    #expect(categories == ["ssid", "mac", "serial", "hostname"])
    let serial = closed["withheld"]?.items[2].members
    #expect(serial?["values"]?.items.contains(.string("device_metadata|machine/serial")) == true)
    #expect(serial?["shown_by"]?.text?.hasPrefix("--allow serial") == true)
    let open = try Assistant.answer(
      to: "read", ids, ["--context", "sim:phone", "--allow", "serial,ssid"])
    #expect(
      open["withheld"]?.items.map { $0.members["category"]?.text } == ["mac", "hostname"])
    for tool in Tool.all {
      let names = tool.parameters.map(\.name)
      #expect(!names.contains { ["allow", "context", "path", "file"].contains($0) })
    }
  }

  @Test(arguments: [("read", "sources"), ("list", "sources"), ("watch", "rows")])
  func `an answer is at most 32 kB, and says what it leaves out`(
    tool: String, list: String
  ) throws {
    let names = (0..<200).map { "battery|BAT\($0)" }
    let many = names.map { "0 add \($0)\n0 set \($0)/level 0.5\n" }.joined()
    let script = try Script(many)
    let ids = names.map { "\"\($0)\"" }.joined(separator: ",")
    let named = tool == "list" ? "{}" : "{\"ids\":[\(ids)]}"
    let answer = try Assistant.answer(to: tool, named, ["--context", script.context])
    let count = answer[list]?.items.count ?? 0
    #expect(count > 5)
    #expect(answer["to_see_more"]?.text?.isEmpty == false)
    let rest = answer["left_out"]?.members[list]?.number ?? 0
    #expect(tool == "list" ? count + Int(rest) == 201 : rest > 0)
  }

  @Test func `a watch ends after its rows, and when the input does`() throws {
    let script = try Script("0 add memory|machine\n0 set memory|machine/total 1000000\n")
    let options = ["--context", script.context]
    let call = #"{"ids":["memory"],"for":60,"every":0.1,"rows":1}"#
    let watch = try Assistant.answer(to: "watch", call, options)
    #expect(watch["rows"]?.items.count == 1)
    #expect(watch["to_see_more"]?.text?.hasPrefix("it ended after 1 rows") == true)
    let live = try Assistant.answer(to: "watch", #"{"ids":["memory"],"for":60}"#)
    #expect(live["rows"]?.items.isEmpty == false)
  }

  @Test func `a graph is checked as a JSON object and as text`() throws {
    let document = #"{"format":"gatheredkit.graph","version":1,"patchs":{}}"#
    let text = try Value.string(document).json()
    for given in [document, text] {
      let answer = try Assistant.answer(to: "graph_check", #"{"document":\#(given)}"#)
      #expect(answer["is_sound"] == .bool(false))
      #expect(answer["problems"]?.items.first?.members["nearest"] == .string("patches"))
    }
    let example = try DocumentFile(at: GraphFile.example("alarms.json"))
    let sound = try Value(json: example.bytes).json()
    let answer = try Assistant.answer(to: "graph_check", #"{"document":\#(sound)}"#)
    #expect(answer["is_sound"] == .bool(true))
  }
}
