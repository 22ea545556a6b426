/// Follows what a broker sends ahead of libmosquitto, which does not survive all of it: 2.0.11 ends
/// the process at a property that MQTT 5 does not have.
///
/// It knows where packets, lists of properties and values begin and end, and lets no list pass
/// where libmosquitto could take another byte for an identifier. Whether a value may be there and
/// what it is, libmosquitto checks itself.
struct BrokerGuard {
  /// Why a packet may not pass.
  enum Fault: Equatable {
    case malformed
    case tooLong
  }

  /// The longest packet that may pass, in bytes.
  static let limit = 4 * BrokerClient.packetLimit

  /// What the next byte is.
  private enum Step {
    case kind
    case length
    /// The two bytes of the length of a text, or of a topic.
    case text
    case textEnd
    /// A digit of the length of the properties.
    case list
    case identifier
    /// A digit of a value.
    case digits
  }

  private let hasProperties: Bool
  private var step = Step.kind
  private var kind: UInt8 = 0
  /// The number that is being read, and how many of its digits have come.
  private var number = 0
  private var digits = 0
  /// What passes before the next step.
  private var skipped = 0
  /// What the packet has behind that, and the properties; nil before them.
  private var left = 0
  private var listed: Int?
  /// How many texts the value has behind this one.
  private var texts = 0

  init(_ version: BrokerVersion) { hasProperties = version == .v5 }

  /// How much of what has come may pass, and why the rest may not.
  mutating func check(_ bytes: UnsafeRawBufferPointer) -> (count: Int, fault: Fault?) {
    var index = 0
    while index < bytes.count {
      if skipped > 0 {
        let count = min(skipped, bytes.count - index)
        skipped -= count
        index += count
      } else {
        if let fault = take(bytes[index]) { return (index, fault) }
        index += 1
      }
      // The packet is not completed.
      if !settle() { return (index - 1, .malformed) }
    }
    return (index, nil)
  }

  private mutating func take(_ byte: UInt8) -> Fault? {
    switch step {
    case .kind:
      (kind, number, digits, step) = (byte, 0, 0, .length)
      // Two kinds that no broker sends. The first byte 0 is none for libmosquitto, which then reads
      // another.
      return byte < 0x20 ? .malformed : nil
    case .length:
      if !add(byte) { return .malformed }
      if byte >= 0x80 { return nil }
      if number > Self.limit { return .tooLong }
      begin(number)
      return nil
    default:
      if listed == 0 { return .malformed }
      left -= 1
      if let count = listed { listed = count - 1 }
      return takeInside(byte) ? nil : .malformed
    }
  }

  private mutating func takeInside(_ byte: UInt8) -> Bool {
    switch step {
    case .text:
      (number, step) = (Int(byte) << 8, .textEnd)
      return true
    case .textEnd:
      texts -= 1
      let count = number + Int(byte)
      number = 0
      step = texts > 0 ? .text : listed == nil ? .list : .identifier
      // Behind a topic there is the packet's number where it is to be acknowledged.
      return skip(listed == nil && kind & 6 != 0 ? count + 2 : count)
    case .list:
      if !add(byte) { return false }
      if byte >= 0x80 { return true }
      listed = number
      step = .identifier
      defer { number = 0 }
      return number <= left
    case .identifier: return takeIdentifier(byte)
    default:
      if !add(byte) { return false }
      if byte < 0x80 { (number, step) = (0, .identifier) }
      return true
    }
  }

  /// What follows an identifier of MQTT 5.
  private mutating func takeIdentifier(_ byte: UInt8) -> Bool {
    switch byte {
    case 1, 23, 25, 36, 37, 40, 41, 42: return skip(1)
    case 19, 33, 34, 35: return skip(2)
    case 2, 17, 24, 39: return skip(4)
    case 11: step = .digits
    case 3, 8, 9, 18, 21, 22, 26, 28, 31: (texts, step) = (1, .text)
    case 38: (texts, step) = (2, .text)
    default: return false
    }
    return true
  }

  private mutating func begin(_ count: Int) {
    (left, listed, number, step) = (count, nil, 0, .list)
    switch hasProperties ? kind >> 4 : 0 {
    case 2, 9, 11: _ = skip(2)
    case 3: (texts, step) = (1, .text)
    case 4...7: _ = skip(3)
    case 14, 15: _ = skip(1)
    default: _ = skip(left)
    }
  }

  /// A packet that is shorter than it should be ends early, a list does not.
  private mutating func skip(_ count: Int) -> Bool {
    if let room = listed {
      if count > room { return false }
      listed = room - count
    }
    skipped = min(count, left)
    left -= skipped
    return true
  }

  /// Adds a digit; whether it may be there.
  private mutating func add(_ byte: UInt8) -> Bool {
    number |= Int(byte & 0x7F) << (7 * digits)
    digits += 1
    let isLast = byte < 0x80
    if isLast ? digits > 1 && byte == 0 : digits == 4 { return false }
    if isLast { digits = 0 }
    return true
  }

  /// Goes on to the next packet, or to what is behind the properties; false where the packet ends
  /// in a property.
  private mutating func settle() -> Bool {
    if step == .length || skipped > 0 { return true }
    if step == .identifier && listed == 0 { (skipped, left) = (left, 0) }
    guard skipped == 0 && left == 0 else { return true }
    defer { step = .kind }
    return listed == nil || step == .identifier
  }
}
