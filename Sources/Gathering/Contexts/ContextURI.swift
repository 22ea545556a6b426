import Machine
import Values

/// The parsed URI of a context: scheme, argument and parameters (sources C1).
package struct ContextURI: Equatable, Sendable {
  enum Target: Equatable, Sendable {
    /// This computer.
    case local
    /// A captured tree.
    case tree(root: String)
    /// The IIO devices of another machine, as `HOST` or `HOST:PORT`.
    case remote(host: String)
    /// A built-in simulated device.
    case simulation(name: String)
    /// A scripted one.
    case script(file: String)
    /// A recording.
    case recording(file: String)
    /// Machines that publish to a broker; what opens it reads the URI.
    case fleet
  }

  let target: Target
  /// Whether only `seek` moves the clock.
  let hasManualClock: Bool
  /// Redirected mechanisms: `bus`, `gpsd`, `iio`, `alsa`, `gnss`, `chrony`, `nut`.
  let redirections: [String: String]

  /// Takes a URI apart; the error names the offending part.
  init(_ text: String) throws(SourceError) {
    guard let colon = text.firstIndex(of: ":") else {
      throw .invalidArgument("\(Self.quoted(text)) has no scheme; try local:, sim:NAME")
    }
    let scheme = String(text[..<colon])
    let rest = text[text.index(after: colon)...]
    switch scheme {
    case "local": try self.init(local: rest)
    case "sim": try self.init(simulation: rest)
    case "replay": try self.init(recording: rest)
    case "ip": try self.init(remote: rest)
    case "mqtt", "mqtts": self.init(.fleet)
    default: throw .invalidArgument("unknown scheme \(Self.quoted(scheme))")
    }
  }

  private init(_ target: Target) {
    self.target = target
    hasManualClock = false
    redirections = [:]
  }

  private init(local rest: Substring) throws(SourceError) {
    var parameters = try Self.parameters(rest)
    let manual = try Self.takeClock(&parameters)
    let root = parameters.removeValue(forKey: "root")
    let redirected = ["bus", "gpsd", "iio", "alsa", "gnss", "chrony", "nut"]
    if let unknown = parameters.keys.sorted().first(where: { !redirected.contains($0) }) {
      throw .invalidArgument("local: has no parameter \(Self.quoted(unknown))")
    }
    if let root, root.isEmpty { throw .invalidArgument("root= names no folder") }
    if manual && root == nil {
      throw .invalidArgument("clock=manual needs root=: this computer's clock cannot be stopped")
    }
    if let iio = parameters["iio"] { try Self.checkDevices(iio) }
    if let bus = parameters["bus"] { try Self.checkBus(bus) }
    for name in ["gpsd", "chrony", "nut"] {
      if let service = parameters[name] { _ = try Self.service(service, orElse: .gpsd) }
    }
    if parameters["gnss"]?.isEmpty == true { throw .invalidArgument("gnss= names no device") }
    if parameters["alsa"] == "" { throw .invalidArgument("alsa= names no PCM") }
    target = root.map { .tree(root: $0) } ?? .local
    hasManualClock = manual
    redirections = parameters
  }

  private init(remote rest: Substring) throws(SourceError) {
    let parts = rest.split(separator: "&", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count > 1 {
      let unknown = try Self.parameters(parts[1]).keys.min() ?? ""
      throw .invalidArgument("ip: has no parameter \(Self.quoted(unknown))")
    }
    let host = try Self.decoded(parts.first ?? "")
    try Self.checkHost(host)
    target = .remote(host: host)
    hasManualClock = false
    redirections = [:]
  }

  private init(recording rest: Substring) throws(SourceError) {
    let file = try Self.decoded(rest)
    if file.isEmpty { throw .invalidArgument("replay: names no file") }
    target = .recording(file: file)
    hasManualClock = false
    redirections = [:]
  }

  private init(simulation rest: Substring) throws(SourceError) {
    let parts = rest.split(separator: "&", omittingEmptySubsequences: false)
    let first = parts.first ?? ""
    let isNamed = !first.contains("=")
    let tail = isNamed ? parts.dropFirst().joined(separator: "&") : String(rest)
    var parameters = try Self.parameters(Substring(tail))
    hasManualClock = try Self.takeClock(&parameters)
    let file = parameters.removeValue(forKey: "file")
    if let unknown = parameters.keys.min() {
      throw .invalidArgument("sim: has no parameter \(Self.quoted(unknown))")
    }
    switch (isNamed ? try Self.decoded(first) : "", file) {
    case ("", nil): throw .invalidArgument("sim: names no device; there are empty, laptop, phone")
    case (let name, nil): target = .simulation(name: name)
    case ("", let file?) where !file.isEmpty: target = .script(file: file)
    case ("", _): throw .invalidArgument("file= names no script")
    default: throw .invalidArgument("sim: takes a name or file=, not both")
    }
    redirections = [:]
  }

  private static func takeClock(
    _ parameters: inout [String: String]
  ) throws(SourceError) -> Bool {
    switch parameters.removeValue(forKey: "clock") {
    case nil: return false
    case "manual"?: return true
    case let other?: throw .invalidArgument("clock=\(other): there is only clock=manual")
    }
  }

  package static func parameters(_ text: Substring) throws(SourceError) -> [String: String] {
    var found: [String: String] = [:]
    if text.isEmpty { return found }
    for pair in text.split(separator: "&", omittingEmptySubsequences: false) {
      guard let equals = pair.firstIndex(of: "="), equals != pair.startIndex else {
        throw .invalidArgument("\(quoted(String(pair))) is not key=value")
      }
      let key = String(pair[..<equals])
      if found[key] != nil { throw .invalidArgument("parameter \(quoted(key)) is given twice") }
      found[key] = try decoded(pair[pair.index(after: equals)...])
    }
    return found
  }

  package static func decoded(_ text: Substring) throws(SourceError) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexDigit),
        let low = rest.popFirst().flatMap(hexDigit), high << 4 | low != 0
      else { throw .invalidArgument("bad percent escape in \(quoted(String(text)))") }
      bytes.append(high << 4 | low)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  package static func quoted(_ text: String) -> String { Array(text.utf8).quotedExcerpt }

  // MARK: Hosts and addresses

  /// Refuses a text that is not `HOST[:PORT]`: a name, an IPv4 address, or an IPv6 address, in
  /// brackets if a port follows.
  package static func checkHost(_ text: String) throws(SourceError) {
    let (name, port) = try parts(ofHost: text)
    let isAddress = name.contains(":")
    let marks = isAddress ? ":.%-_" : ".-_"
    let isGood = name.utf8.allSatisfy { byte in
      isLetterOrDigit(byte) || marks.utf8.contains(byte)
    }
    guard !name.isEmpty, isGood else {
      throw .invalidArgument("\(quoted(text)) names no host")
    }
    guard let port else { return }
    let isNumber = !port.isEmpty && port.utf8.allSatisfy { (48...57).contains($0) }
    guard isNumber, let number = UInt16(port), number > 0 else {
      throw .invalidArgument("\(quoted(port)) is no port")
    }
  }

  /// Refuses a URI that libiio does not accept: `iio=` takes `local:`, `ip:HOST[:PORT]`, `usb:…`.
  private static func checkDevices(_ uri: String) throws(SourceError) {
    if uri == "local:" { return }
    if uri.hasPrefix("ip:") { return try checkHost(String(uri.dropFirst(3))) }
    for scheme in ["usb:", "serial:", "xml:"] where uri.hasPrefix(scheme) { return }
    throw .invalidArgument("iio=\(quoted(uri)) is no URI of IIO devices")
  }

  /// Refuses a text that is not the D-Bus address of a socket: `unix:path=…`, `tcp:host=…,port=…`,
  /// several separated by `;`. An address that would start a program is refused.
  private static func checkBus(_ address: String) throws(SourceError) {
    let parts = address.split(separator: ";", omittingEmptySubsequences: false)
    let areGood = parts.allSatisfy { part in
      ["unix:", "tcp:"].contains { part.hasPrefix($0) && part.contains("=") }
    }
    guard areGood else {
      throw .invalidArgument("bus=\(quoted(address)) is no address of a message bus")
    }
  }

  /// The address a parameter such as `gpsd=` names: `HOST` with the usual port, or `HOST:PORT`.
  static func service(
    _ text: String, orElse usual: ServiceAddress
  ) throws(SourceError) -> ServiceAddress {
    try checkHost(text)
    let (host, port) = try parts(ofHost: text)
    return ServiceAddress(host: host, port: port.flatMap { UInt16($0) } ?? usual.port)
  }

  package static func parts(ofHost text: String) throws(SourceError) -> (String, String?) {
    if text.hasPrefix("[") {
      let inner = text.dropFirst().prefix { $0 != "]" }
      let rest = text.dropFirst(inner.count + 2)
      guard text.contains("]"), inner.contains(":"), rest.isEmpty || rest.hasPrefix(":") else {
        throw .invalidArgument("\(quoted(text)) names no host")
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
}
