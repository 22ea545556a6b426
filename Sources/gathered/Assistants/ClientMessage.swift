import Values

/// Why a message of a client is not obeyed, with a code of JSON-RPC.
struct RefusedMessage: Error {
  enum Code: Int64 {
    case parse = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case busy = -32000
  }

  /// That of the message; none where it has no valid one.
  var id = Value.none
  let code: Code
  let message: String

  init(_ code: Code, _ message: String, id: Value = .none) {
    (self.code, self.message, self.id) = (code, message, id)
  }

  /// The answer that says so.
  var answer: Value {
    let error: ValueDictionary = ["code": .int(code.rawValue), "message": .string(message)]
    return .dictionary(["jsonrpc": .string("2.0"), "id": id, "error": .dictionary(error)])
  }
}

/// A request or a notification of a client, as JSON-RPC 2.0 has them.
struct ClientMessage {
  /// nil: a notification, which is never answered.
  let id: Value?
  let method: String
  let params: ValueDictionary

  /// The longest id, in bytes: it is a part of its answer, whose length is limited.
  private static let idLimit = 128

  /// nil for what is not to be answered: an answer, since nothing was asked, or a notification that
  /// is none.
  init?(_ value: Value) throws(RefusedMessage) {
    guard case .dictionary(let members) = value else {
      throw RefusedMessage(.invalidRequest, "a message is one JSON object")
    }
    let id = try members["id"].map(Self.checked)
    if members["method"] == nil, members["result"] ?? members["error"] != nil { return nil }
    guard members["jsonrpc"] == .string("2.0"), let method = members["method"]?.text else {
      throw RefusedMessage(
        .invalidRequest, "a message has \"jsonrpc\": \"2.0\" and a method", id: id ?? .none)
    }
    self.id = id
    self.method = method
    switch members["params"] {
    case nil: params = [:]
    case .dictionary(let members): params = members
    default:
      guard let id else { return nil }
      throw RefusedMessage(.invalidParams, "params is a JSON object", id: id)
    }
  }

  private static func checked(_ id: Value) throws(RefusedMessage) -> Value {
    switch id {
    case .int, .double: return id
    case .string(let text) where text.utf8.count <= idLimit: return id
    default:
      throw RefusedMessage(
        .invalidRequest, "an id is a number, or a text of at most \(idLimit) bytes")
    }
  }

  /// The answer to a request.
  static func answer(_ result: ValueDictionary, to id: Value) -> Value {
    .dictionary(["jsonrpc": .string("2.0"), "id": id, "result": .dictionary(result)])
  }
}
