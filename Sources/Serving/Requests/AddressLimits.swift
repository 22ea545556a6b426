import Ground

/// How often an address may ask, and how often with a wrong token (serve W7, W16).
///
/// Each address has a bucket that fills again by 20 requests a second, up to 60.
final class AddressLimits: Sendable {
  private struct Account {
    var requests = AddressLimits.burst
    var filled: Int64
    /// When wrong tokens came, of the last minute.
    var failures: [Int64] = []
    var blockedUntil: Int64 = 0
  }

  private static let rate = 20.0
  private static let burst = 60.0
  private static let failureLimit = 10
  private static let minute: Int64 = 60_000_000_000
  /// How many addresses are known at once; the one that has asked least lately gives way.
  private static let capacity = 4096

  private let accounts = Lock<[HTTPRequest.Peer: Account]>([:])

  /// Counts a request at a moment, in nanoseconds. Throws the refusal of one that is too many.
  func admit(_ peer: HTTPRequest.Peer, at now: Int64) throws(Refusal) {
    let wait = accounts.withLock { accounts -> Int64? in
      var account = Self.account(of: peer, in: &accounts, at: now)
      defer { accounts[peer] = account }
      if account.blockedUntil > now { return account.blockedUntil - now }
      let seconds = Double(now - account.filled) / 1e9
      account.requests = min(Self.burst, account.requests + seconds * Self.rate)
      account.filled = now
      if account.requests < 1 { return Int64((1 - account.requests) / Self.rate * 1e9) }
      account.requests -= 1
      return nil
    }
    if let wait { throw Self.tooMany(after: wait) }
  }

  /// Counts a wrong token; the tenth within a minute blocks the address for one.
  func fail(_ peer: HTTPRequest.Peer, at now: Int64) {
    accounts.withLock { accounts in
      var account = Self.account(of: peer, in: &accounts, at: now)
      account.failures = account.failures.filter { now - $0 < Self.minute } + [now]
      if account.failures.count >= Self.failureLimit {
        account.failures = []
        account.blockedUntil = now + Self.minute
      }
      accounts[peer] = account
    }
  }

  private static func account(
    of peer: HTTPRequest.Peer, in accounts: inout [HTTPRequest.Peer: Account], at now: Int64
  ) -> Account {
    if let known = accounts[peer] { return known }
    if accounts.count >= capacity,
      let idlest = accounts.filter({ $0.value.blockedUntil <= now })
        .min(by: { $0.value.filled < $1.value.filled })
    {
      accounts[idlest.key] = nil
    }
    return Account(filled: now)
  }

  private static func tooMany(after wait: Int64) -> Refusal {
    let seconds = max(1, (wait + 999_999_999) / 1_000_000_000)
    return Refusal(
      .limit, "too many requests of this address", remedy: "try again in \(seconds) s",
      status: .tooManyRequests, fields: [HeaderField("Retry-After", String(seconds))])
  }
}
