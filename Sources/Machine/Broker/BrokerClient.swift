import CLinux
import Glibc
import Ground

/// A client of libmosquitto for one connection. It belongs to the one thread that made it.
final class BrokerClient {
  /// The longest packet we want to be sent, in bytes; MQTT 5 tells the broker.
  static let packetLimit = 4 << 20
  let version: BrokerVersion
  let address: BrokerAddress
  let table: clinux_broker
  let inbox: BrokerInbox
  let client: OpaquePointer
  /// What reads its socket; there while it is connected.
  private var gate: BrokerGate?
  /// Whether the TCP connection is there.
  private var isLinked = false
  /// Whether the broker has accepted.
  private(set) var isAccepted = false
  /// When libmosquitto wants to look at the time, on CLOCK_MONOTONIC.
  private(set) var tick = Int64.max
  private var interval: Int64 = 0

  /// A client that is not yet connected.
  init(
    _ address: BrokerAddress, _ identity: BrokerIdentity, _ version: BrokerVersion
  ) throws(BrokerFailure) {
    do throws(MissingLibrary) {
      table = try Libmosquitto.table()
    } catch {
      throw .missing(error)
    }
    if address.usesTLS && !Libmosquitto.seesTLS(table) { throw .missing(Libmosquitto.blind) }
    self.version = version
    self.address = address
    inbox = BrokerInbox(version: version)
    let owner = Unmanaged.passUnretained(inbox).toOpaque()
    guard let made = Libmosquitto.client(table, id: identity.id(version), owner: owner) else {
      throw .lost(address.text, errno: errno)
    }
    client = made
    BrokerInbox.attach(to: client, table)
    try prepare(identity.will)
  }

  deinit {
    // With TLS it says farewell.
    if !hasEnded { _ = gate?.open() }
    table.destroy(client)
  }

  /// Connects to the host or one of its addresses; is done when the broker has answered. A client
  /// that `waits` tries one address after the other, for as long as the system does.
  func connect(to host: String, waits: Bool = false) throws(BrokerFailure) {
    let (port, keepAlive) = (Int32(address.port), Int32(address.keepAlive))
    let outcome =
      waits
      ? table.connect(client, host, port, keepAlive)
      : table.connect_async(client, host, port, keepAlive)
    let code = errno
    let descriptor = socket
    guard outcome <= 0, descriptor >= 0 else {
      if outcome == CLINUX_MQTT_TLS { throw distrust() }
      if outcome == CLINUX_MQTT_ERRNO, address.usesTLS, Self.isCut(code) { throw silence }
      if outcome == CLINUX_MQTT_ERRNO { throw .unreachable(address.text, errno: code) }
      if outcome == CLINUX_MQTT_NAME {
        throw .unreachable(address.text, "its name leads to no address", errno: EHOSTUNREACH)
      }
      throw .ended(outcome, errno: code, at: address.text)
    }
    do throws(SystemError) {
      gate = try BrokerGate(descriptor, version)
    } catch {
      throw .lost(address.text, errno: error.code)
    }
  }

  /// What to poll for.
  var polled: pollfd {
    var events = Int16(POLLIN)
    if !isLinked || table.want_write(client) && !isAgreeing { events |= Int16(POLLOUT) }
    return pollfd(fd: hasEnded ? -1 : gate?.broker ?? -1, events: events, revents: 0)
  }

  /// Whether TLS may still be agreed on: libmosquitto then says that it wants to write when it only
  /// waits, and is asked again after a while.
  var isAgreeing: Bool { address.usesTLS && isLinked && !isAccepted }

  /// Lets libmosquitto do what there is to do; what it brought is in the inbox. Throws if the
  /// connection ended without its telling.
  func work(_ ready: Int16) throws(BrokerFailure) {
    if !isLinked && ready & Int16(POLLOUT | POLLERR | POLLHUP) != 0 { try noteLink() }
    guard isLinked, let gate else { return }
    let isReadable = ready & Int16(POLLIN | POLLERR | POLLHUP) != 0
    if isReadable || isAgreeing { try read(through: gate, isReadable) }
    if hasEnded { return }
    if isAgreeing || ready & Int16(POLLOUT) != 0 || table.want_write(client) {
      try open(gate)
      try check(table.loop_write(client, 64), errno)
    }
    if !hasEnded, Monitor<Void>.moment(after: 0) >= tick {
      try check(table.loop_misc(client), errno)
      tick = Monitor<Void>.moment(after: interval)
    }
  }

  /// The broker has accepted.
  func accept(_ limits: BrokerLimits) {
    isAccepted = true
    // What is said from now on is of every message, and costs time.
    table.log_callback_set(client, nil)
    _ = table.username_pw_set(client, nil, nil)
    let seconds = limits.keepAlive ?? address.keepAlive
    interval = max(1_000_000_000, Int64(seconds) * 1_000_000_000 / 6)
    tick = seconds == 0 ? .max : Monitor<Void>.moment(after: interval)
  }

  /// The socket, or -1.
  var socket: Int32 { table.socket(client) }

  /// Whether the connection is over.
  var hasEnded: Bool { socket < 0 }

  /// Says farewell, behind all that was to be sent; whether that is on its way by a moment.
  func disconnect(by end: Int64) -> Bool {
    var outcome = table.disconnect(client)
    if !hasEnded, gate?.open() != 0 { return false }
    // libmosquitto closes the socket behind it.
    while outcome == 0, !hasEnded {
      outcome = table.loop_write(client, 1)
      if outcome != 0 || hasEnded { break }
      let left = end - Monitor<Void>.moment(after: 0)
      if left <= 0 { return false }
      var polled = [pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)]
      _ = poll(&polled, 1, Int32(clamping: left / 1_000_000 + 1))
    }
    return outcome == 0
  }

  // MARK: Machinery

  /// The TCP connection is there, or is not to be had.
  private func noteLink() throws(BrokerFailure) {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(gate?.broker ?? -1, SOL_SOCKET, SO_ERROR, &code, &size)
    // One that was made and is closed again before we look was not refused by the system.
    if Self.isCut(code) { throw address.usesTLS ? silence : .lost(address.text, errno: code) }
    if code != 0 { throw .unreachable(address.text, errno: code) }
    isLinked = true
  }

  /// The end of a connection while TLS is agreed on. A broker that wants a certificate says so, but
  /// its words may be lost with the connection.
  var silence: BrokerFailure {
    if let failure = alert() { return failure }
    let wanted = address.certificate == nil ? ", and whether it wants cert=FILE and key=FILE" : ""
    return BrokerFailure(
      .refused, "\(address.text) has closed the connection while TLS was agreed on",
      remedy: "check that this port is for TLS" + wanted, errno: ECONNRESET)
  }

  /// Whether an errno is that of a connection that the other side has closed; OpenSSL has EPROTO
  /// for it.
  private static func isCut(_ code: Int32) -> Bool {
    code == ECONNRESET || code == EPIPE || code == EPROTO
  }

  /// An outcome of a call. An end that was told to the inbox is in it.
  func check(_ outcome: Int32, _ code: Int32) throws(BrokerFailure) {
    guard outcome > 0 else { return }
    if outcome == CLINUX_MQTT_TLS { throw distrust() }
    let isTold = inbox.events.contains { event in
      if case .answered(let code, _) = event { return code != 0 }
      if case .ended(0x80...) = event { return true }
      return false
    }
    if isTold { return }
    if isAgreeing && (outcome != CLINUX_MQTT_ERRNO || Self.isCut(code)) { throw silence }
    throw .ended(outcome, errno: code, at: address.text)
  }
}
