import Gathering

/// One UPS as upsd tells of it.
struct UpsdDevice: Sendable {
  /// What the last answer about it was.
  enum Standing: Equatable, Sendable {
    /// There was none over this connection.
    case unknown
    case fresh
    /// The driver had no fresh data, for the first time at a boot time.
    case flapping(since: Int64)
    case stale
    case notConnected
    case denied
    /// Another error, in upsd's word.
    case refused(String)
  }

  /// How long an outage of a driver's data is passed over; upsd's readers flap within a second.
  static let grace: Int64 = 500_000_000

  let name: String
  var description: [UInt8]
  private(set) var standing = Standing.unknown
  /// The last good answer.
  private(set) var variables: [String: [UInt8]] = [:]
  /// When that came, on CLOCK_BOOTTIME.
  private(set) var answeredAt: Int64 = 0
  /// How many answers there were.
  private(set) var answers = 0

  init(_ name: String, description: [UInt8]) {
    self.name = name
    self.description = description
  }

  /// Whether the next question is not left to readers: they do not ask while it is in trouble.
  var isInTrouble: Bool {
    switch standing {
    case .unknown, .fresh, .flapping, .stale: false
    case .notConnected, .denied, .refused: true
    }
  }

  mutating func take(_ rows: [(name: String, value: [UInt8])], at now: Int64) {
    answers += 1
    (standing, answeredAt) = (.fresh, now)
    variables = Dictionary(rows.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
  }

  mutating func fail(_ word: String, at now: Int64) {
    answers += 1
    switch (word, standing) {
    case ("DATA-STALE", .flapping(let since)):
      if now - since >= Self.grace { standing = .stale }
    case ("DATA-STALE", .stale): break
    case ("DATA-STALE", _): standing = .flapping(since: now)
    case ("DRIVER-NOT-CONNECTED", _): standing = .notConnected
    case ("ACCESS-DENIED", _): standing = .denied
    default: standing = .refused(word)
    }
    if isInTrouble { variables = [:] }
  }

  /// The connection is lost: what was said over it counts no more.
  mutating func forget() {
    standing = .unknown
    variables = [:]
  }
}
