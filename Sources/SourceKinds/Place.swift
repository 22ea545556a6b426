import Gathering
import Machine

/// Where a device is attached, in words that outlast a reboot (sources N7).
enum Place {
  /// The place of a device folder of sysfs, symbolic links allowed; nil if there is no device.
  ///
  /// The address for PCI and USB, else the firmware's path, else the kernel's name without its
  /// counter. A device the kernel merely counts (`nvme0`, `phy0`) is where its parent is.
  static func of(device path: String, in files: any FileTree) -> String? {
    guard let device = try? files.canonicalPath(of: path) else { return nil }
    let name = lastComponent(device)
    switch subsystem(of: device, in: files) {
    case "pci": return "pci-\(name)"
    case "usb": return "usb-\(name)"
    default: break
    }
    if let firmware = firmwarePath(of: device, in: files) { return firmware }
    if isMerelyCounted(name), let parent = of(device: "\(device)/device", in: files) {
      return parent
    }
    return withoutCounter(name)
  }

  /// The subsystem a device folder belongs to, or nil.
  static func subsystem(of device: String, in files: any FileTree) -> String? {
    (try? files.linkTarget(of: "\(device)/subsystem")).map(lastComponent)
  }

  /// The last component of a path.
  static func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? ""
  }

  /// A kernel name without what the kernel counts: `.N.auto` of a platform device, `.NNNN` of a
  /// HID device.
  static func withoutCounter(_ name: String) -> String {
    var parts = name.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count > 2, parts.last == "auto", isNumber(parts[parts.count - 2]) {
      parts.removeLast(2)
    } else if parts.count == 2, parts[1].utf8.count == 4, parts[0].split(separator: ":").count == 3,
      parts[1].allSatisfy(\.isHexDigit)
    {
      parts.removeLast()
    }
    return parts.joined(separator: ".")
  }

  private static func firmwarePath(of device: String, in files: any FileTree) -> String? {
    if let text = try? KeptFile("\(device)/firmware_node/path", in: files).read() {
      let path = NumberText.trimmed(text)
      if !path.isEmpty { return path.lenientText }
    }
    guard let node = try? files.canonicalPath(of: "\(device)/of_node") else { return nil }
    let parts = node.split(separator: "/")
    guard let base = parts.firstIndex(of: "base") else { return node }
    return "/" + parts[(base + 1)...].joined(separator: "/")
  }

  /// Letters, then digits, and nothing else.
  private static func isMerelyCounted(_ name: String) -> Bool {
    let digits = name.reversed().prefix(while: \.isNumber)
    let letters = name.dropLast(digits.count)
    return !digits.isEmpty && !letters.isEmpty && letters.allSatisfy(\.isLetter)
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.allSatisfy(\.isNumber)
  }
}
