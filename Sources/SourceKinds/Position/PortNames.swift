import Gathering
import Ground
import Machine

/// What serial ports are called. udev names its links by the serial number of what is connected,
/// which is personal: wherever a link is shown, the number's digest stands in its place (sources
/// N8, P4).
final class PortNames: Sendable {
  /// What is known of the serial number of a device.
  private enum Number {
    case reported(String)
    case absent
    case unknown
  }

  private static let folder = "/dev/serial/by-id"

  private let files: any FileTree
  /// Whether the ports are those of the machine itself.
  private let isHere: Bool
  /// The names of links whose devices told, as they are shown.
  private let known = Lock<[String: String]>([:])

  /// The ports of a machine, or of another one about which nothing can be found out.
  init(in files: any FileTree, isHere: Bool = true) {
    self.files = files
    self.isHere = isHere
  }

  /// The names of links as they are, in order.
  var links: [String] {
    isHere ? ((try? files.entries(of: Self.folder)) ?? []).sorted() : []
  }

  /// The names of links, as they are shown, that tell one receiver from another, by what they lead
  /// to.
  var names: [String: String] {
    var names: [String: String] = [:]
    for name in links {
      if let port = port("\(Self.folder)/\(name)") {
        names[port] = names[port] ?? shown(link: name)
      }
    }
    return names
  }

  /// The kernel's own path of a port; nil where there is none.
  func port(_ device: String) -> String? {
    isHere ? try? files.canonicalPath(of: device) : nil
  }

  /// A device's path as it is shown.
  func shown(_ device: String) -> String {
    let start = Self.folder + "/"
    guard device.hasPrefix(start) else { return device }
    return start + shown(link: String(device.dropFirst(start.count)))
  }

  /// The name of the link that a device's path as it is shown goes through, if it does.
  static func link(in shown: String) -> String? {
    shown.hasPrefix(folder + "/") ? String(shown.dropFirst(folder.count + 1)) : nil
  }

  /// Where a port is attached.
  func place(of device: String) -> String? {
    guard let name = port(device)?.split(separator: "/").last else { return nil }
    return PersistentPath.of("/sys/class/tty/\(name)/device", in: files)
      ?? PersistentPath.of("/sys/class/gnss/\(name)/device", in: files)
  }

  // MARK: Links

  private func shown(link name: String) -> String {
    if let known = known.withLock({ $0[name] }) { return known }
    switch number(of: "\(Self.folder)/\(name)") {
    case .absent: return name
    case .reported(let number):
      guard let shown = replacing(Self.written(number), of: number, in: name) else { break }
      known.withLock { $0[name] = shown }
      return shown
    case .unknown: break
    }
    // Without a USB device to ask, the last word counts as a number if it has a digit.
    let end = Self.endOfDevice(in: name)
    let start = name[..<end].lastIndex(of: "_").map { name.index(after: $0) } ?? name.startIndex
    let word = String(name[start..<end])
    guard word.contains(where: \.isDecimalDigit) else { return name }
    return name[..<start] + digest(of: word) + name[end...]
  }

  /// What the USB device behind a port calls itself.
  private func number(of device: String) -> Number {
    guard let name = port(device)?.split(separator: "/").last,
      let start = try? files.canonicalPath(of: "/sys/class/tty/\(name)/device")
    else { return .unknown }
    var parts = start.split(separator: "/")
    while parts.count > 2 {
      let folder = "/" + parts.joined(separator: "/")
      // The device itself and no hub above it, which may have a number, too.
      guard (try? files.canonicalPath(of: "\(folder)/idVendor")) != nil else {
        parts.removeLast()
        continue
      }
      let file = Outcome(reading: PolledFile("\(folder)/serial", in: files), .text)
      if let text = file.text { return .reported(text) }
      let isAbsent = file.absence?.errno == SystemText.noEntry || file.status == .noData
      return isAbsent ? .absent : .unknown
    }
    return .unknown
  }

  /// Replaces the last word of a link's name that is a number as udev writes it.
  private func replacing(_ written: String, of number: String, in name: String) -> String? {
    let end = Self.endOfDevice(in: name)
    guard !written.isEmpty, name[..<end].hasSuffix("_" + written) else { return nil }
    return name[..<end].dropLast(written.count) + digest(of: number) + name[end...]
  }

  private func digest(of number: String) -> String {
    MachineIdentity.of(files).digest(ofIdentityIn: number)
  }

  /// Where `-if00-port0` begins, which udev puts behind a device's own name.
  private static func endOfDevice(in name: String) -> String.Index {
    var end = name.endIndex
    while end > name.startIndex {
      if name[end...].hasPrefix("-if") { return end }
      end = name.index(before: end)
    }
    return name.endIndex
  }

  /// A number as udev writes it in names of links.
  private static func written(_ number: String) -> String {
    var bytes: [UInt8] = []
    for byte in number.utf8 {
      let isBlank = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
      if isBlank && bytes.last == UInt8(ascii: "_") { continue }
      let isKept =
        byte >= 0x80 || Character(UnicodeScalar(byte)).isLatinLetter
        || Character(UnicodeScalar(byte)).isDecimalDigit || "#+-.:=@_".utf8.contains(byte)
      bytes.append(isKept ? byte : UInt8(ascii: "_"))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
