import CLinux
import Glibc
import Ground

/// How a client reads: through its gate.
extension BrokerClient {
  /// Takes what has come, but never without end.
  func read(through gate: BrokerGate, _ isReadable: Bool) throws(BrokerFailure) {
    // libmosquitto takes an end while TLS is agreed on for no reason to stop.
    if isAgreeing && isReadable && gate.coming == 0 { throw silence }
    for _ in 0..<64 {
      let goesOn = address.usesTLS ? try readTLS(gate) : try readPlain(gate)
      if hasEnded || !goesOn { break }
    }
  }

  func open(_ gate: BrokerGate) throws(BrokerFailure) {
    let code = gate.open()
    if code != 0 { throw .lost(address.text, errno: code) }
  }

  /// Whether there may be more.
  private func readPlain(_ gate: BrokerGate) throws(BrokerFailure) -> Bool {
    let count = gate.receive()
    if count <= 0 {
      let code = count < 0 ? errno : ECONNRESET
      if code == EAGAIN || code == EINTR { return false }
      try check(code == ECONNRESET ? CLINUX_MQTT_LOST : CLINUX_MQTT_ERRNO, code)
      return false
    }
    let (sound, fault) = gate.buffer.withUnsafeBytes {
      gate.guardian.check(UnsafeRawBufferPointer(rebasing: $0[..<count]))
    }
    try shut(gate)
    var passed = 0
    while passed < sound && !hasEnded {
      let more = gate.pass(passed..<sound)
      if more <= 0 { throw .lost(address.text, errno: errno) }
      passed += more
      try drain { gate.waiting }
    }
    if let fault, !hasEnded { throw .refused(fault, at: address.text) }
    // Room was made for more. An acknowledgement to a broker that is gone would lose it.
    return true
  }

  /// With TLS what a record has is looked at, and left for libmosquitto. That finds nothing behind
  /// it on the socket.
  private func readTLS(_ gate: BrokerGate) throws(BrokerFailure) -> Bool {
    try open(gate)
    guard let ssl = table.ssl_get(client) else { return false }
    // Later TLS may be agreed on anew, in the midst of messages.
    if !gate.isAgreed { gate.isAgreed = table.ssl_is_init_finished(ssl) != 0 }
    if !gate.isAgreed {
      // It does nothing but agree until then.
      try check(table.loop_read(client, 1), errno)
      return false
    }
    var table = table
    let count = clinux_broker_peek(&table, ssl, &gate.buffer, Int32(BrokerGate.size))
    if count == CLINUX_TLS_WAITS { return false }
    if count <= 0 {
      noteErrors()
      try check(count == CLINUX_TLS_ENDED ? CLINUX_MQTT_LOST : CLINUX_MQTT_ERRNO, EPROTO)
      return false
    }
    let (_, fault) = gate.buffer.withUnsafeBytes {
      gate.guardian.check(UnsafeRawBufferPointer(rebasing: $0[..<Int(count)]))
    }
    if let fault { throw .refused(fault, at: address.text) }
    try shut(gate)
    try drain { Int(table.ssl_pending(ssl)) }
    return true
  }

  private func shut(_ gate: BrokerGate) throws(BrokerFailure) {
    let code = gate.shut()
    if code != 0 { throw .lost(address.text, errno: code) }
  }

  /// Makes libmosquitto read all that has passed: it takes one packet a call, or some.
  private func drain(_ waiting: () -> Int) throws(BrokerFailure) {
    var left = waiting()
    while left > 0 {
      try check(table.loop_read(client, 1), errno)
      if hasEnded { return }
      let rest = waiting()
      if rest >= left { throw .lost(address.text, errno: EIO) }
      left = rest
    }
  }

  /// Keeps what OpenSSL says of an error, as libmosquitto would.
  private func noteErrors() {
    var table = table
    var text = [CChar](repeating: 0, count: 256)
    while clinux_broker_tls_error(&table, &text, text.count) {
      let words = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      inbox.note("OpenSSL Error[0]: " + String(decoding: words, as: UTF8.self))
    }
  }
}
