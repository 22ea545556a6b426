import Machine
import Values

extension ContextURI {
  /// Refuses a text that is not `HOST[:PORT]`: a name, an IPv4 address, or an IPv6 address, in
  /// brackets if a port follows.
  static func checkHost(_ text: String) throws(SourceError) {
    let (name, port) = try parts(ofHost: text)
    let isAddress = name.contains(":")
    let marks = isAddress ? ":.%-_" : ".-_"
    let isGood = name.utf8.allSatisfy { byte in
      isLetterOrDigit(byte) || marks.utf8.contains(byte)
    }
    guard !name.isEmpty, isGood else {
      throw .invalidArgument("\(quotedHost(text)) names no host")
    }
    guard let port else { return }
    let isNumber = !port.isEmpty && port.utf8.allSatisfy { (48...57).contains($0) }
    guard isNumber, let number = UInt16(port), number > 0 else {
      throw .invalidArgument("\(quotedHost(port)) is no port")
    }
  }

  /// Refuses a URI that libiio does not accept: `iio=` takes `local:`, `ip:HOST[:PORT]`, `usb:…`.
  static func checkDevices(_ uri: String) throws(SourceError) {
    if uri == "local:" { return }
    if uri.hasPrefix("ip:") { return try checkHost(String(uri.dropFirst(3))) }
    for scheme in ["usb:", "serial:", "xml:"] where uri.hasPrefix(scheme) { return }
    throw .invalidArgument("iio=\(quotedHost(uri)) is no URI of IIO devices")
  }

  /// Refuses a text that is not the D-Bus address of a socket: `unix:path=…`, `tcp:host=…,port=…`,
  /// several separated by `;`. An address that would start a program is refused.
  static func checkBus(_ address: String) throws(SourceError) {
    let parts = address.split(separator: ";", omittingEmptySubsequences: false)
    let areGood = parts.allSatisfy { part in
      ["unix:", "tcp:"].contains { part.hasPrefix($0) && part.contains("=") }
    }
    guard areGood else {
      throw .invalidArgument("bus=\(quotedHost(address)) is no address of a message bus")
    }
  }

  /// The address `gpsd=` names: `HOST` or `HOST:PORT`.
  static func service(_ text: String) throws(SourceError) -> ServiceAddress {
    try checkHost(text)
    let (host, port) = try parts(ofHost: text)
    return ServiceAddress(
      host: host, port: port.flatMap { UInt16($0) } ?? ServiceAddress.gpsd.port)
  }

  static func parts(ofHost text: String) throws(SourceError) -> (String, String?) {
    if text.hasPrefix("[") {
      let inner = text.dropFirst().prefix { $0 != "]" }
      let rest = text.dropFirst(inner.count + 2)
      guard text.contains("]"), inner.contains(":"), rest.isEmpty || rest.hasPrefix(":") else {
        throw .invalidArgument("\(quotedHost(text)) names no host")
      }
      return (String(inner), rest.isEmpty ? nil : String(rest.dropFirst()))
    }
    let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
    // More than one colon is an IPv6 address without a port.
    guard colons == 1, let colon = text.firstIndex(of: ":") else { return (text, nil) }
    return (String(text[..<colon]), String(text[text.index(after: colon)...]))
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }

  private static func quotedHost(_ text: String) -> String { Array(text.utf8).quotedExcerpt }
}

/// The name of another machine in ids, as its `ip:` URI writes it (sources N9).
struct DeviceName: Sendable {
  /// The text ids carry behind `@`.
  let text: String
  private let host: String

  /// The machine of an `ip:` URI's `HOST[:PORT]`.
  init(host text: String) {
    self.text = text
    host = (try? ContextURI.parts(ofHost: text).0) ?? text
  }

  /// Whether an id's device is this one: its text, or the host without the port.
  func means(_ device: String) -> Bool { device == text || device == host }
}
