import Gathering
import Machine
import Values

extension InterfaceAddress {
  /// `ADDR/PREFIX`; IPv6 as RFC 5952 writes it.
  var text: String { "\(Self.text(of: bytes))/\(prefixLength)" }

  /// An address alone, of 4 or 16 bytes.
  static func text(of bytes: [UInt8]) -> String {
    bytes.count == 16 ? sixText(of: bytes) : bytes.map(String.init).joined(separator: ".")
  }

  /// Whether the interface's half of an IPv6 address shows a hardware address (…ff:fe…).
  var isBuiltFromMAC: Bool { isIPv6 && bytes.count == 16 && bytes[11] == 0xFF && bytes[12] == 0xFE }

  private static func sixText(of bytes: [UInt8]) -> String {
    let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
    if isMapped { return "::ffff:" + bytes[12...].map(String.init).joined(separator: ".") }
    let groups = stride(from: 0, to: 16, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
    let gap = longestZeros(in: groups)
    let words = { (part: ArraySlice<Int>) in
      part.map { String($0, radix: 16) }.joined(separator: ":")
    }
    guard let gap else { return words(groups[...]) }
    return words(groups[..<gap.lowerBound]) + "::" + words(groups[gap.upperBound...])
  }

  /// The first longest run of at least two zero groups.
  private static func longestZeros(in groups: [Int]) -> Range<Int>? {
    var longest: Range<Int>?
    var start = 0
    while start < groups.count {
      var end = start
      while end < groups.count, groups[end] == 0 { end += 1 }
      if end - start >= 2 && end - start > (longest?.count ?? 0) { longest = start..<end }
      start = Swift.max(end, start + 1)
    }
    return longest
  }
}

/// A line of `/proc/net/if_inet6`: address, index, prefix, scope, flags in hexadecimal, interface.
enum IPv6Addresses {
  /// The address of a line, or nil if it is none.
  static func address(in line: ArraySlice<UInt8>) -> InterfaceAddress? {
    let words = Array(Words(of: line))
    guard words.count == 6, words[0].count == 32, words[2].count <= 2,
      let prefix = hexadecimal(words[2]), prefix <= 128
    else { return nil }
    var bytes: [UInt8] = []
    var rest = words[0]
    while !rest.isEmpty {
      guard let byte = hexadecimal(rest.prefix(2)) else { return nil }
      bytes.append(UInt8(truncatingIfNeeded: byte))
      rest = rest.dropFirst(2)
    }
    return InterfaceAddress(
      interface: words[5].lenientText, isIPv6: true, bytes: bytes, prefixLength: prefix)
  }

  private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> Int? {
    guard digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-") else { return nil }
    return Int(digits.lenientText, radix: 16)
  }
}
