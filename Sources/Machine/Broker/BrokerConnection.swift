public import Ground

/// A connection to an MQTT broker, made again and again until it is closed, by libmosquitto on a
/// thread of its own.
///
/// All methods may be called from any thread. A process that was forked off has none of it: there
/// they do nothing.
public final class BrokerConnection: Sendable {
  /// What is to be warned about, as a password file that others may read.
  public let warnings: [String]
  private let exchange: BrokerExchange
  private let fork = ForkGuard()

  /// A connection that is not yet started, for a user that it does not keep: with the user it ends.
  ///
  /// `shortClientID` is the client's id for 3.1.1, where a broker need not take more than 23
  /// characters; `will` is what the broker publishes when we are gone without a farewell. Throws
  /// what is wrong with the arguments or the files they name; that there is no broker is no error.
  public convenience init(
    to address: BrokerAddress, clientID: String, shortClientID: String? = nil,
    will: BrokerMessage? = nil, user: any BrokerUser & Sendable
  ) throws(BrokerFault) {
    try self.init(
      to: address, clientID: clientID, shortClientID: shortClientID, will: will,
      for: .elsewhere(WeakUser(user)), looksFirst: false)
  }

  /// The same for a user that is made on the connection's own thread, belongs to it and goes with
  /// it.
  ///
  /// One that `looksFirst` connects by another id, without a will, before it connects again: by its
  /// own it would end the connection of a client that has taken its id over.
  public convenience init(
    to address: BrokerAddress, clientID: String, shortClientID: String? = nil,
    will: BrokerMessage? = nil, looksFirst: Bool = false,
    making user: @escaping @Sendable () -> (any BrokerUser)?
  ) throws(BrokerFault) {
    try self.init(
      to: address, clientID: clientID, shortClientID: shortClientID, will: will,
      for: .made(user), looksFirst: looksFirst)
  }

  private init(
    to address: BrokerAddress, clientID: String, shortClientID: String?, will: BrokerMessage?,
    for owner: BrokerExchange.Owner, looksFirst: Bool
  ) throws(BrokerFault) {
    try Self.check(address)
    for id in [clientID, shortClientID ?? clientID] where id.isEmpty || id.utf8.count > 65_535 {
      throw .invalid("the client's id is empty or too long")
    }
    warnings = try BrokerFiles.check(address)
    let identity = BrokerIdentity(
      clientID: clientID, shortClientID: shortClientID ?? clientID, will: will)
    do throws(SystemError) {
      exchange = BrokerExchange(
        address, identity, owner, try WakeDescriptor(), looksFirst: looksFirst)
    } catch {
      throw .system(error)
    }
  }

  deinit { abandon() }

  /// Begins to connect, and does not wait for it. Throws EAGAIN when the system has no thread left.
  public func start() throws(SystemError) {
    guard !fork.isForked, exchange.begin() else { return }
    do throws(SystemError) {
      let thread = try WorkerThread(named: "gkit-broker") { [exchange] in
        BrokerWorker(exchange).run()
      }
      thread.detach()
    } catch {
      exchange.finish(isClean: true)
      throw error
    }
  }

  /// Makes the user's `work` be called soon.
  public func wake() {
    if !fork.isForked { exchange.wake.signal() }
  }

  /// How it is.
  public var state: BrokerState { fork.isForked ? .closed : exchange.brokerState }

  /// Ends it: the user's `work` is called while messages wait for their acknowledgement, then
  /// farewell is said, so that the will is not published. Waits for that so many nanoseconds at
  /// most, and gives whether there was nothing to say farewell to, or it was said. On the
  /// connection's own thread it does not wait.
  @discardableResult
  public func close(within limit: Int64) -> Bool {
    if fork.isForked { return true }
    let end = Monitor<Void>.moment(after: limit)
    exchange.give(.close(by: end))
    if exchange.isOwnThread { return true }
    return exchange.waitForEnd(until: end)
  }

  /// Ends it at once, with a farewell if there is a connection. Does not wait.
  public func abandon() {
    if !fork.isForked { exchange.give(.abandon) }
  }

  private static func check(_ address: BrokerAddress) throws(BrokerFault) {
    if address.host.isEmpty || address.host.utf8.contains(0) { throw .invalid("there is no host") }
    if address.port == 0 { throw .invalid("port 0 is none") }
    if address.keepAlive < 5 || address.keepAlive > 65_535 {
      throw .invalid("keepalive is to be 5 to 65535 s")
    }
    if address.passwordFile != nil && address.user == nil {
      throw .invalid("a password needs a user")
    }
    if (address.certificate == nil) != (address.key == nil) {
      throw .invalid("cert and key need each other")
    }
    let files = [address.authorities, address.certificate, address.key]
    if !address.usesTLS && files.contains(where: { $0 != nil }) {
      throw .invalid("certificates need tls")
    }
    let isOpen = !address.usesTLS && !address.isLocal && !address.isInsecure
    if isOpen && address.passwordFile != nil {
      throw .invalid("others could read the password on its way: use mqtts:, or insecure=1")
    }
  }
}
