import Gathering
public import Values

/// Why a call on a patch or a graph failed; also the events of a patch's `errors`.
public enum PatchError: Error, Equatable, Sendable {
  /// There is no such port, patch or child.
  case notFound(String)
  /// A value, or a wire, does not fit a port.
  case typeMismatch(port: String, expected: PortType, given: String)
  /// The name is taken in this graph.
  case duplicateName(String)
  /// The type is registered, or the patch is in a graph, already.
  case exists(String)
  /// An option is unknown, missing or out of range.
  case badOption(String, reason: String)
  /// A name is not one.
  case badName(String)
  /// A child, or a wire of it, cannot be put into a document.
  case notSavable(String, reason: String)
  /// The cascade of values has become longer than the loop's limit; nothing was published.
  case cascadeLimit(output: String)
  /// A handler failed: its input, its code (0 without one) and its message.
  case handlerFailed(port: String, code: Int32, message: String)
  /// A document cannot be loaded.
  case invalidGraph([GraphProblem])
  /// The context is closed.
  case closed

  /// Its word in events and documents; the words of events are listed in the C header.
  public var code: String {
    switch self {
    case .notFound: "notFound"
    case .typeMismatch: "typeMismatch"
    case .duplicateName: "duplicateName"
    case .exists: "exists"
    case .badOption: "badOption"
    case .badName: "badName"
    case .notSavable: "notSavable"
    case .cascadeLimit: "cascadeLimit"
    case .handlerFailed: "handlerFailed"
    case .invalidGraph: "invalidGraph"
    case .closed: "closed"
    }
  }

  /// The port it is about; empty if it is not about one.
  public var port: String {
    switch self {
    case .typeMismatch(let port, _, _), .cascadeLimit(let port), .handlerFailed(let port, _, _):
      port
    case .notFound(let name), .badOption(let name, _): name
    default: ""
    }
  }

  /// One plain sentence.
  public var message: String {
    switch self {
    case .notFound(let name): "there is no \(quoted(name))"
    case .typeMismatch(let port, let expected, let given):
      "\(quoted(port)) takes \(expected.rawValue), not \(given)"
    case .duplicateName(let name): "the name \(quoted(name)) is taken"
    case .exists(let what): "\(what) exists already"
    case .badOption(let option, let reason): "option \(quoted(option)): \(reason)"
    case .badName(let name): "\(quoted(name)) is not a name here"
    case .notSavable(let child, let reason): "\(quoted(child)) cannot be saved: \(reason)"
    case .cascadeLimit(let output):
      "the cascade is too long; nothing was published on \(quoted(output))"
    case .handlerFailed(let port, _, let message): "the handler of \(quoted(port)): \(message)"
    case .invalidGraph(let problems):
      problems.first.map { $0.pointer.isEmpty ? $0.message : "\($0.pointer): \($0.message)" }
        ?? "the document cannot be loaded"
    case .closed: "the context is closed"
    }
  }

  /// The event as C and Python get it: `{port, code, message}`.
  public var dictionary: ValueDictionary {
    ["port": .string(port), "code": .string(code), "message": .string(message)]
  }

  private func quoted(_ name: String) -> String { Array(name.utf8).quotedExcerpt }
}

/// The error a handler throws to give its failure a code of its own.
public struct HandlerFailure: Error, Sendable {
  /// The code, below 0.
  public var code: Int32
  /// The failure, as one clause.
  public var message: String
  /// Whether it only passes on that the cascade is full, which was announced where that happened.
  public var isRefusal: Bool

  /// A failure.
  public init(code: Int32, message: String, isRefusal: Bool = false) {
    self.code = code
    self.message = message
    self.isRefusal = isRefusal
  }
}
