import Gathering
import Machine
import Values

/// Where a device is attached (sources N7): stable over reboots, unlike its number.
enum PersistentPath {
  /// The place of a device folder below `/sys`, links allowed; nil if there is no such device.
  static func of(_ device: String, in files: any FileTree) -> String? {
    guard let path = try? files.canonicalPath(of: device) else { return nil }
    var parts = path.split(separator: "/")
    // A sound card numbers its own folder: the card's device is what stays.
    if parts.count > 2, parts[parts.count - 2] == "sound" { parts.removeLast(2) }
    guard let last = parts.last.map(String.init), parts.count > 2, last != "device" else {
      return nil
    }
    if isPCI(last) { return "pci-\(last)" }
    if isUSB(last) { return "usb-\(last)" }
    let folder = "/" + parts.joined(separator: "/")
    return firmwarePath(of: folder, in: files) ?? withoutCounter(last)
  }

  private static func firmwarePath(of device: String, in files: any FileTree) -> String? {
    let acpi = PolledFile("\(device)/firmware_node/path", in: files)
    if let text = try? acpi.read() {
      let line = Lines(of: text).first { _ in true } ?? []
      if !line.isEmpty { return line.lenientText }
    }
    let node =
      (try? files.canonicalPath(of: "\(device)/of_node"))
      ?? (try? files.linkTarget(of: "\(device)/of_node"))
    let base = "devicetree/base"
    guard let node, let end = node.endOfFirst(base), end < node.endIndex else { return nil }
    return String(node[end...])
  }

  /// `0000:00:1f.6`
  private static func isPCI(_ name: String) -> Bool {
    let colons = name.split(separator: ":", omittingEmptySubsequences: false)
    guard colons.count == 3, colons[0].count >= 4, colons[1].count == 2 else { return false }
    let slot = colons[2].split(separator: ".", omittingEmptySubsequences: false)
    guard slot.count == 2, slot[0].count == 2, slot[1].count == 1 else { return false }
    return (colons[0...1] + slot).allSatisfy { $0.allSatisfy(\.isHexDigit) }
  }

  /// `1-8`, `1-8.2`, `1-8:1.0`
  private static func isUSB(_ name: String) -> Bool {
    let halves = name.split(separator: ":", omittingEmptySubsequences: false)
    guard halves.count <= 2, let port = halves.first else { return false }
    let bus = port.split(separator: "-", omittingEmptySubsequences: false)
    // An address on an I2C bus, `1-0068`, has leading zeros; a port has none.
    guard bus.count == 2, bus[1].first != "0" else { return false }
    let numbers =
      [bus[0]] + bus[1].split(separator: ".", omittingEmptySubsequences: false)
      + (halves.count == 2 ? halves[1].split(separator: ".", omittingEmptySubsequences: false) : [])
    return numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isDecimalDigit) }
  }

  /// Without a trailing `.N.auto` of a platform device or `.NNNN` of a HID device.
  static func withoutCounter(_ name: String) -> String {
    var parts = name.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count > 2, parts.last == "auto", parts[parts.count - 2].allSatisfy(\.isDecimalDigit) {
      parts.removeLast(2)
      return parts.joined(separator: ".")
    }
    if parts.count == 2, parts[1].count == 4, parts[0].contains(":"),
      parts[1].allSatisfy(\.isHexDigit)
    {
      return String(parts[0])
    }
    return name
  }
}

extension Character {
  /// Whether it is one of the ASCII digits.
  var isDecimalDigit: Bool { ("0"..."9").contains(self) }
}

extension String {
  /// Where a text ends at its first appearance in this one.
  func endOfFirst(_ text: String) -> Index? {
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(text) { return rest.index(rest.startIndex, offsetBy: text.count) }
      rest = rest.dropFirst()
    }
    return nil
  }
}
