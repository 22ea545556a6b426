import CLinux
import Glibc

/// Who we are for a broker.
struct BrokerIdentity: Sendable {
  /// The client's id.
  var clientID: String
  /// The one for 3.1.1, where a broker need not take more than 23 characters.
  var shortClientID: String
  /// What the broker publishes when we are gone without a farewell.
  var will: BrokerMessage?

  func id(_ version: BrokerVersion) -> String { version == .v311 ? shortClientID : clientID }

  /// Another client's, which leaves no will.
  var another: BrokerIdentity {
    let id = "gk-l-" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    return BrokerIdentity(clientID: id, shortClientID: id)
  }
}

extension BrokerClient {
  /// Tells libmosquitto how to connect.
  func prepare(_ will: BrokerMessage?) throws(BrokerFailure) {
    let number = version == .v5 ? CLINUX_MQTT_5 : CLINUX_MQTT_311
    _ = table.int_option(client, CLINUX_MQTT_VERSION, number)
    // The link has a window of its own; with another here messages would wait out of sight.
    _ = table.int_option(client, CLINUX_MQTT_SEND_MAXIMUM, 0)
    _ = table.int_option(client, CLINUX_MQTT_TCP_NODELAY, 1)
    if let will { try set(will) }
    if address.usesTLS { try setTLS() }
    try setLogin()
    if version == .v5 { limitPackets() }
  }

  private func set(_ will: BrokerMessage) throws(BrokerFailure) {
    var properties = list(contentType: will.contentType)
    let outcome = table.will_set_v5(
      client, will.topic, Int32(clamping: will.payload.count), will.payload, will.qos,
      will.isRetained, properties)
    if outcome != 0 {
      table.property_free_all(&properties)
      throw .rejected(outcome, errno: errno, at: address.text)
    }
  }

  private func setTLS() throws(BrokerFailure) {
    var outcome = table.tls_opts_set(client, CLINUX_MQTT_VERIFY_PEER, "tlsv1.2", nil)
    if address.authorities == nil, outcome == 0 {
      outcome = table.int_option(client, CLINUX_MQTT_SYSTEM_CERTS, 1)
    }
    if outcome == 0 {
      outcome = table.tls_set(
        client, address.authorities, address.authorities == nil ? "/etc/ssl/certs" : nil,
        address.certificate, address.key, clinux_broker_no_passphrase)
    }
    if outcome != 0 {
      throw BrokerFailure(
        .notTrusted, "the certificates for \(address.text) cannot be used",
        remedy: "check the files", errno: ENOENT)
    }
  }

  private func setLogin() throws(BrokerFailure) {
    guard let user = address.user else { return }
    let outcome: Int32
    do throws(BrokerFault) {
      outcome = try BrokerFiles.withPassword(of: address) { password in
        table.username_pw_set(client, user, password)
      }
    } catch {
      throw BrokerFailure(
        .badLogin, error.reason, remedy: "check the password file", errno: ENOENT)
    }
    if outcome != 0 { throw .rejected(outcome, errno: errno, at: address.text) }
  }

  /// Asks the broker for no packet that is longer than we take.
  ///
  /// Only the call that connects and waits takes properties. They stay for the next call; this one
  /// fails at once, since no socket of that name can be.
  private func limitPackets() {
    var properties: OpaquePointer?
    let size = UInt32(BrokerClient.packetLimit)
    _ = table.property_add_int32(&properties, CLINUX_MQTT_MAXIMUM_PACKET_SIZE, size)
    _ = table.connect_bind_v5(client, "/", 0, Int32(address.keepAlive), nil, properties)
    table.property_free_all(&properties)
  }

  /// A list of properties, to be freed; nil if there is nothing to say or no way to.
  func list(contentType: String?) -> OpaquePointer? {
    guard let contentType, version == .v5 else { return nil }
    var properties: OpaquePointer?
    _ = table.property_add_string(&properties, CLINUX_MQTT_CONTENT_TYPE, contentType)
    return properties
  }

  // MARK: What libmosquitto says about TLS

  /// Why TLS could not be agreed on.
  func distrust() -> BrokerFailure {
    let place = address.text
    let said = inbox.log.joined(separator: "\n")
    if said.has(part: "host name verification failed") {
      return BrokerFailure(
        .notTrusted, "the certificate of \(place) is not for that name",
        remedy: "connect by a name that the certificate has", errno: EPROTO)
    }
    if said.has(part: "certificate verify failed") {
      return BrokerFailure(
        .notTrusted, "the certificate of \(place) is not trusted",
        remedy: "give the certificate of who vouches for it: ca=FILE", errno: EPROTO)
    }
    if said.has(part: "client certificate") || said.has(part: "client key")
      || said.has(part: "are inconsistent")
    {
      return BrokerFailure(
        .badLogin, "certificate and key of ours cannot be used",
        remedy: "check the files of cert and key", errno: EINVAL)
    }
    if said.has(part: "Unable to load CA") {
      return BrokerFailure(
        .notTrusted, "\(address.authorities ?? "/etc/ssl/certs") has no usable certificate",
        remedy: "check the file of ca", errno: EINVAL)
    }
    if let failure = alert() { return failure }
    let why = words(in: said).map { ": \($0)" } ?? ""
    return BrokerFailure(
      .refused, "TLS with \(place) cannot be agreed on\(why)",
      remedy: "check that this port is for TLS", errno: EPROTO)
  }

  /// What a broker says that does not take our certificate, or our having none.
  func alert() -> BrokerFailure? {
    guard let words = words(in: inbox.log.joined(separator: "\n")), words.has(part: "alert"),
      words.has(part: "certificate") || words.has(part: "unknown ca")
    else { return nil }
    return BrokerFailure(
      .badLogin, "the broker at \(address.text) wants a certificate of ours that it trusts",
      remedy: "give cert=FILE and key=FILE", errno: EACCES)
  }

  /// The last part of an error of OpenSSL, as `wrong version number`.
  private func words(in said: String) -> Substring? {
    said.split(separator: "\n").first { $0.hasPrefix("OpenSSL Error") }?
      .split(separator: ":").last
  }
}
