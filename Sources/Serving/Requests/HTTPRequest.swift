/// What a request names: where it comes from, what it wants, and how it says who asks.
public struct HTTPRequest: Sendable {
  /// The methods that there are; any other is refused with 405.
  public enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case options = "OPTIONS"
    case post = "POST"
    case delete = "DELETE"

    /// Whether it changes nothing.
    var isReading: Bool { self != .post && self != .delete }
  }

  /// Who asks.
  public enum Peer: Hashable, Sendable {
    /// A network address, without its port.
    case address(String)
    /// A process on this machine, by a Unix socket whose mode admits it, or not.
    case process(isAdmitted: Bool)
  }

  /// The method's word as it came.
  public let method: String
  /// The target as it came: a path and perhaps a query.
  public let target: String
  /// The header fields in their order, as they came.
  public let fields: [(name: String, value: String)]
  /// Who asks.
  public let peer: Peer
  /// What follows the header fields.
  public var body: [UInt8]

  /// Makes a request.
  public init(
    _ method: String, _ target: String, fields: [(name: String, value: String)], from peer: Peer,
    body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.fields = fields
    self.peer = peer
    self.body = body
  }

  /// The values of all fields of a name, whose case does not matter.
  func values(of name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name }.map(\.value)
  }

  /// The value of the only field of a name; nil where there is none, or are several.
  public func value(of name: String) -> String? {
    let all = values(of: name)
    return all.count == 1 ? all[0] : nil
  }
}
