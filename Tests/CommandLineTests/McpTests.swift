import Glibc
import Testing
import Values

@testable import gathered

/// `gathered mcp` as a client of the Model Context Protocol meets it: messages, good and bad.
struct McpTests {
  private static let ping = #"{"jsonrpc":"2.0","id":7,"method":"ping"}"#

  @Test(arguments: [
    ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"),
    ("2031-01-01", "2025-06-18"), ("x", "2025-06-18"),
  ])
  func `a session speaks the revision that is asked for, or the newest it has`(
    asked: String, agreed: String
  ) throws {
    let list = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
    let assistant = try Assistant([list, Assistant.call("list", id: 2)], revision: asked)
    let first = try Value(json: assistant.outcome.lines[0]).members["result"]?.members
    #expect(first?["protocolVersion"] == .string(agreed))
    #expect(first?["capabilities"] == .dictionary(["tools": .dictionary([:])]))
    #expect(first?["serverInfo"]?.members["name"] == .string("gathered"))
    let tools = assistant.answers[0]["result"]?.members["tools"]?.items.map(\.members) ?? []
    #expect(tools.count == 8)
    for tool in tools {
      #expect(tool["inputSchema"]?.members["type"] == .string("object"))
      #expect(tool["inputSchema"]?.members["additionalProperties"] == .bool(false))
      // What a revision does not have is not sent in it.
      #expect((tool["title"] != nil) == (agreed == "2025-06-18"))
      #expect((tool["annotations"] == nil) == (agreed == "2024-11-05"))
      if let notes = tool["annotations"]?.members { #expect(notes["readOnlyHint"] == .bool(true)) }
    }
    let structure = assistant.answers[1]["result"]?.members["structuredContent"]
    #expect((structure != nil) == (agreed == "2025-06-18"))
  }

  private static let bad: [(String, Int64)] = [
    ("{nope", -32700), ("[[[", -32700), ("\u{FEFF}{}", -32700), (#"{"id":1,"id":2}"#, -32700),
    ("[]", -32600), ("5", -32600), ("{}", -32600), (#"{"jsonrpc":"2.0","id":1}"#, -32600),
    (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, -32602),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/lst"}"#, -32601),
    (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32601),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32602),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lst"}}"#, -32602),
    (Assistant.call("list", "[]"), -32602), (Assistant.call("list", #"{"knd":"x"}"#), -32602),
    (Assistant.call("list", #"{"kind":5}"#), -32602), (Assistant.call("explain"), -32602),
    (Assistant.call("read", #"{"ids":"memory"}"#), -32602),
    (Assistant.call("read", #"{"over":60}"#), -32602),
    (Assistant.call("watch", #"{"for":1e9}"#), -32602),
    (Assistant.call("watch", #"{"rows":0}"#), -32602),
    (Assistant.call("query", #"{"from":"soon"}"#), -32602),
    (Assistant.call("graph_check", #"{"document":1}"#), -32602),
    (Assistant.call("doctor", #"{"allow":"all"}"#), -32602),
  ]

  @Test(arguments: bad)
  func `a bad message is refused with its code, and the session goes on`(
    line: String, code: Int64
  ) throws {
    let assistant = try Assistant([line, Self.ping])
    #expect(assistant.outcome.code == 0)
    #expect(assistant.outcome.errors.isEmpty)
    #expect(assistant.answers.count == 2)
    #expect(assistant.answers[0]["error"]?.members["code"] == .int(code))
    #expect(assistant.answers[0]["error"]?.members["message"]?.text?.isEmpty == false)
    #expect(
      assistant.answers[1]
        == ["jsonrpc": .string("2.0"), "id": .int(7), "result": .dictionary([:])])
  }

  @Test(arguments: [
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/lst"}"#, "did you mean tools/list?"),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"reed"}}"#, "read"),
    (Assistant.call("list", #"{"knd":"x"}"#), "list has no argument \"knd\"; did you mean kind?"),
  ])
  func `a name that is none brings the nearest`(line: String, sentence: String) throws {
    let message = try Assistant([line]).answers[0]["error"]?.members["message"]?.text
    #expect(message?.contains(sentence) == true)
  }

  @Test(arguments: [
    "", "  \r", #"{"jsonrpc":"2.0","method":"notifications/none"}"#,
    #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#,
    #"{"jsonrpc":"2.0","method":"ping","params":[1]}"#,
    #"{"jsonrpc":"2.0","id":3,"result":{}}"#,
    #"{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"no"}}"#,
  ])
  func `what is not to be answered is not`(line: String) throws {
    #expect(try Assistant([line, Self.ping]).answers.map { $0["id"] } == [.int(7)])
  }

  @Test func `a line of 10 MB is refused with the limit, and the session goes on`() throws {
    let long = #"{"jsonrpc":"2.0","id":1,"method":""# + String(repeating: "x", count: 10_000_000)
    let assistant = try Assistant([long, Self.ping])
    #expect(assistant.answers.count == 2)
    let refusal = assistant.answers[0]["error"]?.members["message"]?.text
    #expect(refusal?.contains("1048576 bytes") == true)
    #expect(assistant.answers[1]["id"] == .int(7))
  }

  @Test func `nothing but ping is answered before a session has begun`() throws {
    let list = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
    let assistant = try Assistant(
      [list, Assistant.call("list"), Self.ping, list + "x"], revision: nil)
    let codes = assistant.answers.map { $0["error"]?.members["code"] }
    #expect(codes == [.int(-32600), .int(-32600), nil, .int(-32700)])
  }

  @Test func `a batch is answered by one line, in the revision that has them`() throws {
    let batch = "[\(Assistant.call("list", id: 4)),\(Self.ping),5]"
    let file = try TemporaryFile(
      Array(
        (#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":"#
          + #"{"protocolVersion":"2025-03-26"}}"# + "\n\(batch)\n").utf8))
    let lines = try Program(["mcp", "--context", "sim:phone"], from: file.path).finish().lines
    let answers = try Value(json: lines[1]).items.map(\.members)
    #expect(lines.count == 2)
    #expect(Set(answers.map { $0["id"] }) == [.int(4), .int(7), .some(Value.none)])
    let refused = try Assistant([batch]).answers
    #expect(refused.map { $0["error"]?.members["code"] } == [.int(-32600)])
  }

  @Test func `the end of the input ends it with 0, also within a line and before the first`() throws
  {
    #expect(try Assistant([], revision: nil).outcome.code == 0)
    let file = try TemporaryFile(Array(Self.ping.utf8))
    let outcome = try Program(["mcp"], from: file.path).finish()
    #expect(outcome.code == 0)
    #expect(outcome.lines.count == 1)
  }

  private static let mistaken: [([String], Int32)] = [
    (["--context", "nowhere:"], 2), (["--allow", "gossip"], 2), (["--context", "sim:none"], 1),
    (["--recordings", "/nowhere"], 1), (["more"], 2),
  ]

  @Test(arguments: mistaken)
  func `what is wrong with the command line is told at once`(
    arguments: [String], code: Int32
  ) throws {
    let outcome = try Assistant([Self.ping], arguments, revision: nil).outcome
    #expect(outcome.code == code)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("gathered: "))
  }

  @Test func `lines are cut where they end, whatever the pieces`() {
    var lines = MessageLines()
    #expect(lines.add(Array("a\nb".utf8)[...]) == [.whole(Array("a".utf8))])
    #expect(lines.add(Array("c\n\n".utf8)[...]) == [.whole(Array("bc".utf8)), .whole([])])
    #expect(lines.finish() == nil)
    let half = [UInt8](repeating: 0x20, count: MessageLines.limit / 2)
    #expect(lines.add(half[...]) + lines.add(half[...]) == [])
    #expect(lines.add([0x0A]) == [.whole(half + half)])
    #expect(lines.add((half + half + [0x20])[...]) == [])
    #expect(lines.add([0x20, 0x0A, 0x41]) == [.tooLong])
    #expect(lines.finish() == .whole([0x41]))
  }
}
