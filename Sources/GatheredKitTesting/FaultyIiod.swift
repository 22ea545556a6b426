import Glibc
public import Ground

/// A server on a port of the loopback that speaks iiod's protocol as badly as a test wants.
public final class FaultyIiod: Sendable {
  /// How the devices are described.
  public enum Description: Sendable {
    /// A text as it stands.
    case text(String)
    /// A text of which only the beginning ever comes, byte by byte.
    case trickling
    /// A text that has no end.
    case endless
  }

  /// How an attribute is answered.
  public enum Response: Sendable, Equatable {
    /// A text, as the file would have it.
    case text(String)
    /// Nothing ever comes.
    case silence
    /// A text that has no end.
    case endless
    /// A text of which only the beginning ever comes, byte by byte.
    case trickling
  }

  /// The port it listens on.
  public let port: UInt16
  private let listener: Descriptor
  private let description: Description
  private let responses: Lock<[String: Response]>
  private let visits = Monitor<(open: [Descriptor], requests: [String])>(([], []))

  /// Begins to listen, until it is let go; attributes are named `DEVICE CHANNEL ATTRIBUTE`, as in
  /// `iio:device0 accel_x raw`, and those not named are `12`.
  public init(
    _ description: Description, responses: [String: Response] = [:]
  ) throws(SystemError) {
    (listener, port) = try LoopbackServer.listen()
    self.description = description
    self.responses = Lock(responses)
    let thread = try WorkerThread(named: "iiod") { [listener, weak self] in
      while true {
        let number = accept(listener.number, nil, nil)
        guard number >= 0 else { return }
        let visitor = Descriptor(owning: number)
        guard let self else { return }
        self.receive(visitor)
      }
    }
    thread.detach()
  }

  deinit {
    shutdown(listener.number, Int32(SHUT_RDWR))
    endVisits()
  }

  /// How often an attribute has been asked for.
  public func count(of attribute: String) -> Int {
    visits.withLock { $0.requests.count { $0 == attribute } }
  }

  /// Answers an attribute otherwise from now on.
  public func answer(_ attribute: String, with response: Response) {
    responses.withLock { $0[attribute] = response }
  }

  /// Ends the connections there are.
  public func endVisits() {
    let open = visits.withLock { visits in
      defer { visits.open = [] }
      return visits.open
    }
    for visitor in open { shutdown(visitor.number, Int32(SHUT_RDWR)) }
  }

  /// The description of so many accelerometers.
  public static func devices(_ count: Int) -> Description {
    var text = "<?xml version=\"1.0\" encoding=\"utf-8\"?><context name=\"network\">"
    for number in 0..<count {
      text += "<device id=\"iio:device\(number)\" name=\"chip\(number)\">"
      for axis in ["x", "y", "z"] {
        text += "<channel id=\"accel_\(axis)\" type=\"input\">"
        text += "<attribute name=\"raw\" filename=\"in_accel_\(axis)_raw\"/>"
        text += "<attribute name=\"scale\" filename=\"in_accel_scale\"/></channel>"
      }
      text += "</device>"
    }
    return .text(text + "</context>")
  }

  private func receive(_ visitor: Descriptor) {
    visits.withLock { $0.open.append(visitor) }
    let description = description
    let thread = try? WorkerThread(named: "iiod-talk") { [weak self] in
      var connection = IiodConnection(visitor: visitor, description: description) { attribute in
        self?.responses.withLock { $0[attribute] }
      }
      while let line = connection.nextLine() {
        if let asked = IiodConnection.attribute(of: line) {
          self?.visits.withLock { $0.requests.append(asked) }
        }
        if !connection.answer(line) { return }
      }
    }
    thread?.detach()
  }
}

/// One connection, which belongs to its thread.
private struct IiodConnection {
  let visitor: Descriptor
  let description: FaultyIiod.Description
  let response: (String) -> FaultyIiod.Response?
  private var unread: [UInt8] = []

  init(
    visitor: Descriptor, description: FaultyIiod.Description,
    response: @escaping (String) -> FaultyIiod.Response?
  ) {
    self.visitor = visitor
    self.description = description
    self.response = response
  }

  mutating func nextLine() -> String? {
    while true {
      if let end = unread.firstIndex(of: 10) {
        let line = String(decoding: unread[..<end].filter { $0 != 13 }, as: UTF8.self)
        unread.removeSubrange(...end)
        return line
      }
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = read(visitor.number, &bytes, bytes.count)
      guard count > 0 else { return nil }
      unread += bytes[..<count]
    }
  }

  /// `READ iio:device0 INPUT accel_x raw` and `READ iio:device0 name` without what is always so.
  static func attribute(of line: String) -> String? {
    let words = line.split(separator: " ")
    guard words.first == "READ" else { return nil }
    return words.dropFirst().filter { $0 != "INPUT" && $0 != "OUTPUT" }.joined(separator: " ")
  }

  /// Answers; false when the visitor has gone.
  mutating func answer(_ line: String) -> Bool {
    if let attribute = Self.attribute(of: line) {
      switch response(attribute) ?? .text("12\n") {
      case .text(let text): return say("\(text.utf8.count)\n\(text)\n")
      case .silence: return true
      case .endless: return sayForEver(String(repeating: "1", count: 4096))
      case .trickling: return trickle()
      }
    }
    switch line.split(separator: " ").first {
    case "VERSION": return say("0.24.v0.24  \n")
    case "PRINT": return describe()
    case "TIMEOUT": return say("0\n")
    default: return say("-22\n")
    }
  }

  private func describe() -> Bool {
    switch description {
    case .text(let text): say("\(text.utf8.count)\n\(text)\n")
    case .trickling: trickle()
    case .endless: sayForEver(String(repeating: " ", count: 65536))
    }
  }

  private func trickle() -> Bool {
    guard say("1000000\n") else { return false }
    while say(" ") { usleep(20_000) }
    return false
  }

  private func sayForEver(_ text: String) -> Bool {
    guard say("2000000000\n") else { return false }
    while say(text) {}
    return false
  }

  private func say(_ text: String) -> Bool { LoopbackServer.say(text, to: visitor) }
}
