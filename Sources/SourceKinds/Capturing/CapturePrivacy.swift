import Gathering
import Ground

/// The parts of a machine's files that are personal and not allowed (sources 13).
///
/// Personal files are determined by the values that were read from them. A file that also has other
/// values is copied without the personal ones, which are then searched for in every other file.
struct CapturePrivacy {
  private let allow: Allowance
  private let hidden: Set<String>
  /// Personal texts that must not be seen, in lower case.
  private let texts: [[UInt8]]

  init(_ survey: CaptureSurvey, allow: Allowance) {
    self.allow = allow
    let withheld = survey.personal.filter { !allow.permits($0.category) }
    var hidden = Set(withheld.map(\.raw.place)).subtracting(survey.ordinaryPlaces)
    if !allow.permits(.serial) { hidden.insert("/etc/machine-id") }
    self.hidden = hidden
    // A name that people gave may be any word, and so is looked for nowhere else.
    let sought = withheld.filter { $0.isKnown && $0.category != .hostname }
    texts = Set(sought.map { Self.lowercased(Array($0.raw.bytes[...].trimmed)) })
      .filter { $0.count >= 4 && $0.allSatisfy { $0 > 0x20 && $0 < 0x7F } }
      .sorted { $0.count > $1.count }
  }

  /// Whether a path is personal, or its name contains a personal value.
  func hides(_ path: String) -> Bool {
    if hidden.contains(path) || !allow.permits(.activity) && Self.tellsUse(path) { return true }
    let bytes = Array(path.utf8)
    if !allow.permits(.mac), !HardwareAddressText.ranges(in: bytes).isEmpty { return true }
    let plain = Self.lowercased(bytes)
    return texts.contains { !Self.ranges(of: $0, in: plain).isEmpty }
  }

  /// Whether a file says what a sound device does, or which program makes it.
  private static func tellsUse(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    guard parts.count > 2, parts[0] == "proc", parts.last == "status" || parts.last == "comm" else {
      return false
    }
    return parts[1] == "asound" || parts[1].allSatisfy(\.isDecimalDigit)
  }

  /// The bytes of a file without the personal parts.
  func visible(_ bytes: [UInt8], of path: String) -> [UInt8] {
    if bytes.starts(with: EDID.header), !allow.permits(.serial) {
      // In an invalid block the position of the serial number is unknown.
      return (try? EDID(bytes))?.withoutSerial ?? []
    }
    var bytes = bytes
    if path.hasPrefix("/run/udev/data/") {
      bytes = lines(of: bytes) { line in
        UdevRecord.Key.allCases.contains { key in
          line.starts(with: Array("E:\(key.rawValue)=".utf8))
            && (!key.isSerial || allow.permits(.serial))
        }
      }
    }
    if path.hasPrefix("/proc/"), path.hasSuffix("/environ") {
      // All but the language is the user's own business.
      bytes = bytes.split(separator: 0).filter { entry in
        ["LANG=", "LC_"].contains { entry.starts(with: Array($0.utf8)) }
      }.flatMap { Array($0) + [0] }
    }
    if path.hasSuffix("/if_inet6"), !allow.permits(.mac) {
      bytes = lines(of: bytes) { IPv6Addresses.address(in: $0)?.isBuiltFromMAC != true }
    }
    if path == "/proc/cpuinfo", !allow.permits(.serial) {
      bytes = lines(of: bytes) { !$0.starts(with: Array("Serial".utf8)) }
    }
    return blanked(bytes)
  }

  private func lines(
    of bytes: [UInt8], where isKept: (ArraySlice<UInt8>) -> Bool
  ) -> [UInt8] {
    bytes.split(separator: 10).filter(isKept).flatMap { $0 + [10] }
  }

  /// The bytes with a 0 for each letter and digit of a personal value.
  private func blanked(_ bytes: [UInt8]) -> [UInt8] {
    var found: [Range<Int>] = allow.permits(.mac) ? [] : HardwareAddressText.ranges(in: bytes)
    if !texts.isEmpty {
      let plain = Self.lowercased(bytes)
      found += texts.flatMap { Self.ranges(of: $0, in: plain) }
    }
    var bytes = bytes
    for range in found {
      for index in range where bytes[index].isLetterOrDigit {
        bytes[index] = UInt8(ascii: "0")
      }
    }
    return bytes
  }

  /// Where a text stands as a word of its own.
  private static func ranges(of text: [UInt8], in bytes: [UInt8]) -> [Range<Int>] {
    guard bytes.count >= text.count else { return [] }
    return (0...(bytes.count - text.count)).compactMap { start in
      let end = start + text.count
      guard bytes[start] == text[0], bytes[start..<end].elementsEqual(text),
        start == 0 || !bytes[start - 1].isLetterOrDigit,
        end == bytes.count || !bytes[end].isLetterOrDigit
      else { return nil }
      return start..<end
    }
  }

  private static func lowercased(_ bytes: [UInt8]) -> [UInt8] {
    bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
  }
}

/// Hardware addresses in texts and names: `66:77:88:99:AA:BB`, also with `-` or `_`, and the twelve
/// digits in the name of an interface, `enx66778899aabb`.
enum HardwareAddressText {
  static func ranges(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = 0
    while start < bytes.count {
      if let end = end(from: start, in: bytes) {
        found.append(start..<end)
        start = end
      } else {
        start += 1
      }
    }
    return found
  }

  private static func end(from start: Int, in bytes: [UInt8]) -> Int? {
    if bytes[start...].starts(with: Array("enx".utf8)) {
      let digits = bytes[(start + 3)...].prefix { $0.isHexDigit }
      return digits.count == 12 ? digits.endIndex : nil
    }
    if start > 0, bytes[start - 1].isHexDigit { return nil }
    guard start + 17 <= bytes.count else { return nil }
    let separator = bytes[start + 2]
    guard [0x3A, 0x2D, 0x5F].contains(separator) else { return nil }
    for offset in 0..<17 {
      let byte = bytes[start + offset]
      guard offset % 3 == 2 ? byte == separator : byte.isHexDigit else { return nil }
    }
    let end = start + 17
    // Longer rows of pairs are something else: an InfiniBand address is left to its own file.
    return end < bytes.count && bytes[end].isHexDigit ? nil : end
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
  }

  fileprivate var isLetterOrDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
  }
}

extension EDID {
  /// The base block without data that identifies the individual screen; extensions, which may
  /// contain it too, are left out.
  fileprivate var withoutSerial: [UInt8] {
    var block = base
    for index in 12..<16 { block[index] = 0 }
    if let text = descriptor(Self.serialTag) {
      for index in text { block[index] = 0x20 }
    }
    block[126] = 0
    block[127] = 0
    block[127] = 0 &- block.reduce(0, &+)
    return block
  }
}
