/// One field of a header.
public struct HeaderField: Equatable, Sendable {
  /// Its name.
  public let name: String
  /// Its value.
  public let value: String

  /// Makes a field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// What a request gets.
public struct HTTPAnswer: Sendable {
  /// What follows the header.
  public enum Body: Sendable {
    /// All of it.
    case bytes([UInt8])
    /// Part after part, until nil; `length` where it is known before.
    case parts(length: Int?, @Sendable () throws -> [UInt8]?)
    /// Events, until the client or the stream ends.
    case events(any LiveAnswer)
  }

  /// The status code.
  public var status: Int
  /// Header fields, without those of security and of length.
  public var fields: [HeaderField]
  /// What follows the header.
  public var body: Body

  /// Makes an answer.
  public init(_ status: Int = 200, _ type: String?, _ body: Body, fields: [HeaderField] = []) {
    self.status = status
    self.fields = fields + (type.map { [HeaderField("Content-Type", $0)] } ?? [])
    self.body = body
  }

  /// An answer of JSON.
  static func json(_ bytes: [UInt8], status: Int = 200, fields: [HeaderField] = []) -> HTTPAnswer {
    HTTPAnswer(status, "application/json; charset=utf-8", .bytes(bytes), fields: fields)
  }

  /// The answer that a refusal is.
  public init(_ refusal: Refusal) {
    self = .json(refusal.json, status: refusal.status.rawValue, fields: refusal.fields)
  }
}
