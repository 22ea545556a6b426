import Values

/// What the folder of a control group is by its name: a unit of systemd, or a container.
struct UnitName {
  /// The words of the property `type`.
  static let types = ["service", "scope", "slice", "container", "socket", "mount", "swap"]

  /// Where a group is, as far as its name depends on that.
  struct Place {
    /// The user whose manager has it.
    var user: Substring?
    /// What makes containers there, without a name of its own in theirs.
    var manager: Substring?
  }

  /// The name in identifiers.
  let id: String
  let type: String
  /// The whole name, as its manager writes it.
  let unit: String
  /// The place of what is below.
  private(set) var below: Place

  /// The place below a folder that is no unit.
  static func place(below folder: String, in place: Place) -> Place {
    var place = place
    if ["docker", "buildkit"].contains(folder) { place.manager = folder[...] }
    return place
  }

  /// The group that a container takes for the root of all.
  static let container = UnitName(id: "container", type: "container", unit: "")

  private init(id: String, type: String, unit: String) {
    (self.id, self.type, self.unit, below) = (id, type, unit, Place())
  }

  /// Nil for a folder that is no unit.
  init?(of folder: String, in place: Place) {
    // systemd sets a `_` before what might be the name of a file of the kernel.
    let name = folder.hasPrefix("_") ? folder.dropFirst() : folder[...]
    unit = Self.unescaped(name)
    below = place
    if let container = Self.container(name, in: place) {
      (id, type) = (container, "container")
      below.manager = nil
    } else if place.manager == "kubepods" || name == "kubepods" {
      (id, type) = (String(name), "slice")
      below.manager = "kubepods"
    } else if let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex,
      let type = Self.types.first(where: { name[dot...].dropFirst() == $0 && $0 != "container" })
    {
      id = place.user.map { "\($0):\(name)" } ?? String(name)
      self.type = type
      below.user = Self.user(of: name) ?? place.user
    } else {
      return nil
    }
  }

  /// `user@1000.service` is the manager of the user 1000.
  private static func user(of name: Substring) -> Substring? {
    guard name.hasPrefix("user@"), name.hasSuffix(".service") else { return nil }
    let digits = name.dropFirst(5).dropLast(8)
    return digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? digits : nil
  }

  /// The manager and the first 12 digits of a container's own name, which has 64 of them.
  private static func container(_ name: Substring, in place: Place) -> String? {
    if name.hasPrefix("lxc.payload."), name.utf8.count > 12 { return String(name) }
    let bare = name.hasSuffix(".scope") ? name.dropLast(6) : name
    var manager = place.manager
    var digits = bare
    if let dash = bare.utf8.lastIndex(of: UInt8(ascii: "-")) {
      manager = bare[..<dash]
      digits = bare[dash...].dropFirst()
    }
    guard let manager, managers.contains(manager), digits.utf8.count >= 12 else { return nil }
    // buildkit's have all letters.
    let last: UInt8 = manager == "buildkit" ? 0x7A : 0x66
    let isName = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...last).contains($0) }
    return isName ? "\(manager)-\(digits.prefix(12))" : nil
  }

  private static let managers: [Substring] = [
    "docker", "libpod", "crio", "cri-containerd", "buildkit", "kubepods",
  ]

  /// The name with systemd's `\xNN` undone.
  static func unescaped(_ name: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"), rest.count > 2,
        let high = digit(rest[rest.startIndex + 1]), let low = digit(rest[rest.startIndex + 2])
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return bytes[...].lenientText
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x61...0x66: byte - 0x57
    case 0x41...0x46: byte - 0x37
    default: nil
    }
  }
}
