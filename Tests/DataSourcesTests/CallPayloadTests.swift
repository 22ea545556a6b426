import DataSources
import Testing
import Values

/// What single values bring to verbs, and say in answer to them.
struct CallPayloadTests {
  @Test(arguments: [Verb.get, .getAll, .delete])
  func `what stores nothing brings nothing`(verb: Verb) {
    #expect(CallPayload<Value>(.list([.int(1)]), by: verb).value == .none)
  }

  @Test func `a list is several values to putAll, and one to put`() {
    let list = Value.list([.int(1), .none])
    guard case .list(let values) = CallPayload<Value>(list, by: .putAll) else {
      Issue.record("no list")
      return
    }
    #expect(values == [.int(1), .none])
    guard case .object(let value) = CallPayload<Value>(list, by: .put) else {
      Issue.record("no object")
      return
    }
    #expect(value == list)
    #expect(CallPayload<Value>(.none, by: .put).value == .none)
  }

  @Test func `an answer is what its verb answers`() throws {
    #expect(try CallPayload<Value>(answering: .delete, .int(1)).value == .none)
    #expect(try CallPayload<Value>(answering: .get, .int(1)).value == .int(1))
    #expect(try CallPayload<Value>(answering: .get, .none).value == .none)
    #expect(try CallPayload<Value>(answering: .putAll, .list([.int(1)])).value == .list([.int(1)]))
    for verb in [Verb.getAll, .putAll] {
      #expect(throws: DataSourceError(.serialization)) {
        try CallPayload<Value>(answering: verb, .int(1))
      }
    }
  }
}
