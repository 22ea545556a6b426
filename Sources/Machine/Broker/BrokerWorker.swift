import Glibc
import Ground

/// The work of a connection's thread. It alone holds the client, and calls the user.
final class BrokerWorker {
  /// How long a broker may take to accept, in nanoseconds.
  static let patience: Int64 = 10_000_000_000
  /// How long to wait before libmosquitto is asked again whether TLS is agreed on.
  private static let pause: Int64 = 50_000_000

  private let exchange: BrokerExchange
  private var address: BrokerAddress { exchange.address }
  /// The user that was made here.
  private var made: (any BrokerUser)?
  private var client: BrokerClient?
  private var link: BrokerLink?
  private var retry = BrokerRetry()
  private var generator = SystemRandomNumberGenerator()
  /// The version the broker takes.
  private var version: BrokerVersion
  /// The hosts of this try that are left.
  private var hosts: ArraySlice<Host> = []
  /// When the next try is made, and when the one that is made is given up.
  private var tryAt: Int64 = 0
  private var deadline = Int64.max
  private var acceptedAt: Int64 = 0
  /// When the user wants to work.
  private var wish: Int64?
  private var isClean = true
  /// Whether the broker has accepted us by our own id, and whether we have looked since that ended.
  private var wasAccepted = false
  private var hasLooked = false

  /// Whether the next connection is to look first.
  private var isToLook: Bool { exchange.looksFirst && wasAccepted && !hasLooked }

  private struct Host {
    var name: String
    /// Whether libmosquitto tries all addresses of the name, and waits for that.
    var waits = false
  }

  init(_ exchange: BrokerExchange) {
    self.exchange = exchange
    version = exchange.address.version ?? .v5
  }

  /// Works until it is told to end.
  func run() {
    exchange.noteThread()
    if case .made(let make) = exchange.owner { made = make() }
    var ready: Int16 = 0
    while goOn(ready) { ready = sleep() }
    farewell()
    exchange.finish(isClean: isClean)
  }

  /// One turn; whether another is to follow. The user is not held in between, so that it can go.
  private func goOn(_ ready: Int16) -> Bool {
    let order = exchange.order
    guard order != .abandon, let user else { return false }
    if order != .work && link == nil { return false }
    if client == nil {
      if tryAt <= now { begin(user) }
    } else {
      turn(ready, user)
    }
    wish = user.work(link)
    if let failure = link?.failure { fail(failure, user) }
    if link?.hasLooked == true { endLook() }
    guard case .close(let end) = order else { return true }
    return link != nil && !isSettled && end > now
  }

  private var user: (any BrokerUser)? {
    if case .elsewhere(let weak) = exchange.owner { weak.user } else { made }
  }

  private var now: Int64 { Monitor<Void>.moment(after: 0) }

  /// Whether all that was published is acknowledged.
  private var isSettled: Bool { link.map { $0.waitingCount == 0 } ?? true }

  // MARK: Connecting

  private func begin(_ user: any BrokerUser) {
    exchange.show(.connecting)
    do throws(BrokerFailure) {
      if hosts.isEmpty { hosts = try findHosts()[...] }
      try connect()
    } catch {
      fail(error, user)
    }
  }

  /// The names to connect to, one after the other. With TLS it is the host's own name, since its
  /// certificate is for that: of several addresses libmosquitto takes the first that does not
  /// refuse at once, and is made to try them all if that one refuses later.
  private func findHosts() throws(BrokerFailure) -> [Host] {
    let addresses = try BrokerNames.addresses(of: address)
    if !address.usesTLS { return addresses.map { Host(name: $0) } }
    let own = Host(name: address.host)
    return addresses.count > 1 ? [own, Host(name: address.host, waits: true)] : [own]
  }

  private func connect() throws(BrokerFailure) {
    guard let host = hosts.popFirst() else { return }
    let identity = isToLook ? exchange.identity.another : exchange.identity
    let made = try BrokerClient(address, identity, version)
    deadline = Monitor<Void>.moment(after: Self.patience)
    try made.connect(to: host.name, waits: host.waits)
    client = made
  }

  /// What was looked for was seen: the next connection is by our own id.
  private func endLook() {
    _ = client?.disconnect(by: now)
    link?.close()
    (link, client, hasLooked, tryAt) = (nil, nil, true, now)
    exchange.show(.connecting)
  }

  /// A try has failed, or the connection is lost.
  private func fail(_ failure: BrokerFailure, _ user: any BrokerUser) {
    let wasLinked = link != nil
    link?.close()
    link = nil
    client = nil
    deadline = .max
    if wasLinked {
      retry.noteEnd(after: now - acceptedAt)
      if exchange.order != .work { isClean = false }
    }
    if !wasLinked && takesOlder(failure)
      || !hosts.isEmpty && failure.kind == .unreachable
        && (hosts.first?.waits != true || failure.errno != ETIMEDOUT)
    {
      tryAt = now
      return
    }
    hosts = []
    tryAt = Monitor<Void>.moment(after: retry.delay(after: failure, using: &generator))
    exchange.show(.waiting(until: tryAt, failure))
    user.disconnected(failure)
  }

  /// Whether the broker does not take MQTT 5, and is now asked for 3.1.1 (fleet F9).
  private func takesOlder(_ failure: BrokerFailure) -> Bool {
    guard failure.kind == .badVersion, version == .v5, address.version == nil else { return false }
    version = .v311
    hosts = []
    return true
  }

  // MARK: A turn

  private func turn(_ ready: Int16, _ user: any BrokerUser) {
    guard let client else { return }
    var failure: BrokerFailure?
    do throws(BrokerFailure) {
      try client.work(ready)
    } catch {
      failure = error
    }
    // What came before the end counts.
    for event in client.inbox.take() {
      if let end = handle(event, client, user) {
        failure = end
        break
      }
    }
    if failure == nil, client.hasEnded {
      failure = .ended(0, errno: 0, at: address.text)
    }
    if failure == nil, deadline <= now {
      failure = .unreachable(
        address.text, "it has not accepted within 10 s", errno: ETIMEDOUT)
    }
    if let failure { fail(failure, user) }
  }

  /// Passes an event on; gives why the connection is over if it says so.
  private func handle(
    _ event: BrokerEvent, _ client: BrokerClient, _ user: any BrokerUser
  ) -> BrokerFailure? {
    switch event {
    case .answered(let code, let limits):
      if code != 0 { return .refused(code, by: address.text) }
      // A broker accepts once.
      return link == nil ? accept(limits, client, user) : .notMQTT(address.text)
    case .ended(let code):
      // An error of libmosquitto's was thrown by what it ended.
      return code == 0 || code >= 0x80 ? .ended(code, errno: 0, at: address.text) : nil
    default:
      if let link { pass(event, link, user) }
      return link?.failure
    }
  }

  private func accept(
    _ limits: BrokerLimits, _ client: BrokerClient, _ user: any BrokerUser
  ) -> BrokerFailure? {
    client.accept(limits)
    let made = BrokerLink(client, limits, isLook: isToLook)
    if !isToLook { (wasAccepted, hasLooked) = (true, false) }
    link = made
    hosts = []
    deadline = .max
    acceptedAt = now
    exchange.show(.connected(since: LiveTime().now.realtime))
    user.connected(made)
    return made.failure
  }

  private func pass(_ event: BrokerEvent, _ link: BrokerLink, _ user: any BrokerUser) {
    switch event {
    case .received(let topic, let payload, let isRetained):
      payload.withUnsafeBytes {
        user.received(topic, $0, isRetained: isRetained, on: link)
      }
    case .acknowledged(let number, let code):
      link.release(number)
      let failure = code < 0x80 ? nil : BrokerFailure.denied(code, "a message", by: address.text)
      user.acknowledged(number, failure: failure, on: link)
    case .subscribed(let number, let code):
      let failure =
        code < 0x80 ? nil : BrokerFailure.denied(code, "a subscription", by: address.text)
      user.subscribed(number, failure: failure, on: link)
    case .answered, .ended, .unsubscribed: break
    }
  }

  /// Sleeps until there is something to do; gives what the socket is ready for.
  private func sleep() -> Int16 {
    var moment = min(wish ?? .max, client == nil ? tryAt : min(deadline, client?.tick ?? .max))
    if case .close(let end) = exchange.order { moment = min(moment, end) }
    if client?.isAgreeing == true { moment = min(moment, Monitor<Void>.moment(after: Self.pause)) }
    var polled = [pollfd(fd: exchange.wake.number, events: Int16(POLLIN), revents: 0)]
    if let client { polled.append(client.polled) }
    let now = now
    let left = moment == .max ? -1 : min((moment - now) / 1_000_000 + 1, 3_600_000)
    _ = poll(&polled, nfds_t(polled.count), moment <= now ? 0 : Int32(clamping: left))
    if polled[0].revents != 0 { exchange.wake.drain() }
    return polled.count > 1 ? polled[1].revents : 0
  }

  // MARK: The end

  private func farewell() {
    guard let client, let link else { return }
    var end = now
    if case .close(let moment) = exchange.order { end = moment }
    isClean = client.disconnect(by: end) && isSettled
    link.close()
  }
}
