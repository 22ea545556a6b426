import GatheredKitTesting
import Testing

@testable import Machine

/// What a broker sends, read before libmosquitto reads it.
struct BrokerGuardTests {
  private static func check(
    _ bytes: [UInt8], _ version: BrokerVersion = .v5, every step: Int = .max
  ) -> (count: Int, fault: BrokerGuard.Fault?) {
    var guardian = BrokerGuard(version)
    var passed = 0
    for start in stride(from: 0, to: bytes.count, by: min(step, max(1, bytes.count))) {
      let part = bytes[start...].prefix(step)
      let (count, fault) = part.withUnsafeBytes { guardian.check($0) }
      passed += count
      if let fault { return (passed, fault) }
    }
    return (passed, nil)
  }

  /// What MQTT 5 has, with a value each.
  static let properties: [UInt8: [UInt8]] = {
    var values: [UInt8: [UInt8]] = [11: [0x80, 1], 38: [0, 1, 97, 0, 2, 98, 99], 9: [0, 1, 0]]
    for byte in [1, 23, 25, 36, 37, 40, 41, 42] as [UInt8] { values[byte] = [1] }
    for short in [19, 33, 34, 35] as [UInt8] { values[short] = [0, 1] }
    for long in [2, 17, 24, 39] as [UInt8] { values[long] = [0, 0, 0, 1] }
    for text in [3, 8, 18, 21, 22, 26, 28, 31] as [UInt8] { values[text] = [0, 2, 97, 98] }
    return values
  }()

  @Test(arguments: MadePacket.kinds)
  func `identifiers of MQTT 5 pass, and no other`(kind: UInt8) {
    for identifier in 0...UInt8.max {
      let known = Self.properties[identifier]
      let list = [identifier] + (known ?? [1, 1, 1, 1])
      let bytes = MadePacket.packet(kind, list: list)
      let (count, fault) = Self.check(bytes)
      #expect(fault == (known == nil ? .malformed : nil), "\(kind) \(identifier)")
      if known == nil { #expect(bytes[count] == identifier) } else { #expect(count == bytes.count) }
      // Before MQTT 5 it is the content.
      #expect(Self.check(bytes, .v311).fault == nil)
    }
    let all = Self.properties.sorted { $0.key < $1.key }.flatMap { [$0.key] + $0.value }
    #expect(Self.check(MadePacket.packet(kind, list: all)).fault == nil)
  }

  @Test func `a list ends where it says, and no value goes beyond`() {
    for (identifier, value) in Self.properties {
      for lack in 1...value.count {
        // The rest stands where a payload could be.
        let list = [identifier] + value
        let bytes = MadePacket.packet(0x30, list: list, size: list.count - lack)
        #expect(Self.check(bytes).fault == .malformed, "\(identifier) less \(lack)")
        // And where nothing follows.
        let cut = MadePacket.packet(0x20, list: list.dropLast(lack))
        #expect(Self.check(cut).fault == .malformed, "\(identifier) cut by \(lack)")
        #expect(Self.check(cut, every: 1) == Self.check(cut))
      }
    }
    // A list that is longer than its packet, and a length with a digit too many.
    for length in [[1], [0x80, 0], [0xFF, 0xFF, 0xFF, 0xFF, 1]] as [[UInt8]] {
      #expect(Self.check([0x20, UInt8(2 + length.count), 0, 0] + length).fault == .malformed)
    }
    // An identifier that is written with two bytes.
    #expect(Self.check(MadePacket.packet(0x20, list: [0x83, 0, 0, 1, 97])).fault == .malformed)
  }

  @Test func `packets that end early pass, and the next is read from its beginning`() {
    let short: [[UInt8]] = [
      [0x20, 0], [0x20, 1, 0], [0x20, 2, 0, 1], [0x30, 0], [0x30, 1, 0], [0x30, 3, 0, 9, 65],
      [0x32, 4, 0, 1, 65, 0], [0x40, 2, 0, 1], [0x40, 3, 0, 1, 0], [0x90, 1, 0], [0xE0, 0],
      [0xE0, 1, 0x8B], [0xF0, 0], [0xD0, 0], [0x20, 3, 0, 0, 0x80], [0x30, 5, 0, 1, 65, 0, 7],
    ]
    let bad: [UInt8] = [0x20, 5, 0, 0, 2, 0x7E, 1]
    for packet in short {
      let (count, fault) = Self.check(packet + packet + bad)
      #expect(fault == .malformed && count == 2 * packet.count + 5, "\(packet)")
    }
  }

  @Test func `what begins no packet of a broker's does not pass`() {
    for first in 0..<0x20 as Range<UInt8> { #expect(Self.check([first]) == (0, .malformed)) }
    #expect(Self.check([0x30, 0xFF, 0xFF, 0xFF, 0xFF]) == (4, .malformed))
    #expect(Self.check([0x30, 0x80, 0]) == (2, .malformed))
  }

  @Test func `a packet is 16 MiB long at the most`() {
    #expect(Self.check([0x30, 0x80, 0x80, 0x80, 8]).fault == nil)
    #expect(Self.check([0x30, 0x81, 0x80, 0x80, 8]).fault == .tooLong)
    #expect(Self.check([0x30, 0xFF, 0xFF, 0xFF, 0x7F], .v311).fault == .tooLong)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `it does not matter how what comes is cut`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let packets = (0..<5).map { _ in MadePacket.random(&generator) }
      let bytes = Array(packets.joined())
      let whole = Self.check(bytes)
      for step in [1, 2, 3, 7] { #expect(Self.check(bytes, every: step) == whole, "\(bytes)") }
    }
  }
}

/// Packets as a broker could send them, right and wrong.
enum MadePacket {
  /// The first bytes of those that have properties.
  static let kinds: [UInt8] = [0x20, 0x30, 0x32, 0x40, 0x50, 0x62, 0x70, 0x90, 0xB0, 0xE0, 0xF0]

  /// A packet with properties, and what MQTT has before and behind them; the list may say another
  /// size than it has.
  static func packet(_ kind: UInt8, list: [UInt8], size: Int? = nil) -> [UInt8] {
    let topic: [UInt8] = [0, 1, 65]
    let head: [UInt8] =
      switch kind {
      case 0x20: [0, 0]
      case 0x30: topic
      case 0x32: topic + [0, 7]
      case 0x40...0x70: [0, 7, 0]
      case 0x90, 0xB0: [0, 7]
      default: [0]
      }
    let tail: [UInt8] = kind == 0x90 || kind == 0xB0 ? [0] : kind & 0xF0 == 0x30 ? [9, 9, 9] : []
    let body = head + digits(size ?? list.count) + list + tail
    return [kind] + digits(body.count) + body
  }

  /// A packet that is often wrong: in its properties, the length of their list, its own.
  static func random(_ generator: inout SeededGenerator) -> [UInt8] {
    let known = BrokerGuardTests.properties
    var list: [UInt8] = []
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      if Int.random(in: 0..<8, using: &generator) == 0 {
        list += (0..<3).map { _ in UInt8.random(in: 0...255, using: &generator) }
      } else if let identifier = known.keys.sorted().randomElement(using: &generator) {
        list += [identifier] + (known[identifier] ?? [])
      }
    }
    let isRight = Int.random(in: 0..<4, using: &generator) > 0
    let size = isRight ? list.count : max(0, list.count + .random(in: -3...3, using: &generator))
    var bytes = packet(kinds.randomElement(using: &generator) ?? 0x30, list: list, size: size)
    if Int.random(in: 0..<6, using: &generator) == 0 {
      let place = bytes.indices.randomElement(using: &generator) ?? 0
      bytes[place] = .random(in: 0...255, using: &generator)
    }
    return bytes
  }

  private static func digits(_ number: Int) -> [UInt8] {
    number < 128 ? [UInt8(number)] : [UInt8(number & 127) | 128, UInt8(number >> 7)]
  }
}
