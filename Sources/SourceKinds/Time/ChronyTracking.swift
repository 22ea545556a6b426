import Gathering
import Machine
import Values

/// The answer of chronyd to the one question it is asked: how its clock is (`candm.h`, protocol 6).
struct ChronyTracking {
  private typealias Field = SystemClock.Field

  static let version: UInt8 = 6
  /// The request `tracking` and the format of its answer.
  private static let (request, reply): (UInt16, UInt16) = (33, 5)
  /// The length of the answer, which the request has too, so that no address can be flooded.
  static let length = 104

  /// The datagram that asks; the answer brings back the number.
  static func question(_ sequence: UInt32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: length)
    bytes[0] = version
    bytes[1] = 1
    bytes[5] = UInt8(truncatingIfNeeded: request)
    for place in 0..<4 {
      bytes[8 + place] = UInt8(truncatingIfNeeded: sequence >> (24 - 8 * UInt32(place)))
    }
    return bytes
  }

  /// Whether a datagram answers the question of a number.
  static func isAnswer(_ datagram: [UInt8], to sequence: UInt32) -> Bool {
    datagram.count >= 28 && datagram[1] == 2
      && ChronyTracking(bytes: datagram).integer(16, 4) == Int64(sequence)
  }

  /// Why an answer tells nothing.
  enum Fault: Error, Equatable {
    case version(UInt8)
    case status(Int64)
    case format
  }

  private let bytes: [UInt8]

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// The answer of a datagram.
  init(parsing datagram: [UInt8]) throws(Fault) {
    bytes = datagram
    guard datagram.count >= 28 else { throw .format }
    if datagram[0] != Self.version { throw .version(datagram[0]) }
    let status = integer(8, 2)
    if status != 0 { throw .status(status) }
    guard datagram.count >= Self.length, integer(4, 2) == Int64(Self.request),
      integer(6, 2) == Int64(Self.reply)
    else { throw .format }
  }

  /// What it tells, by property. Signs are as `chronyc -c tracking` has them.
  func values(from place: String) -> [SystemClock.Field: ReportedValue] {
    var values: [SystemClock.Field: ReportedValue] = [:]
    let take = { (field: Field, range: Range<Int>, outcome: Outcome) in
      values[field] = (outcome, RawValue(bytes[range], place: place))
    }
    let leap = integer(54, 2)
    // Until it has a source, chronyd fills in what it has not measured.
    let isSet = leap != 3
    let unset = Outcome.noData("chronyd is not synchronized")
    take(.leap, 54..<56, word(ofLeap: leap))
    for (field, start) in [
      (Field.offset, 68), (.jitter, 76), (.rootDelay, 92), (.rootDispersion, 96),
      (.pollInterval, 100),
    ] {
      take(field, start..<(start + 4), isSet ? number(start, of: field) : unset)
    }
    take(.stratum, 52..<54, isSet ? .ok(.int(integer(52, 2))) : unset)
    take(.lastUpdate, 56..<68, isSet ? moment : unset)
    take(.server, 28..<52, isSet ? server : unset)
    return values
  }

  private func word(ofLeap leap: Int64) -> Outcome {
    let words = SystemClock.Field.leaps
    guard words.indices.contains(Int(leap)) else { return .failed("leap status is \(leap)") }
    return .ok(.string(words[Int(leap)]))
  }

  /// A number of seconds; only an offset has a sign.
  private func number(_ start: Int, of field: SystemClock.Field) -> Outcome {
    let seconds = float(start)
    if seconds < 0, field != .offset { return .failed("reported as \(seconds) s") }
    return .ok(.double(seconds))
  }

  /// A number of so many bytes, the highest first.
  private func integer(_ start: Int, _ count: Int) -> Int64 {
    bytes[start..<(start + count)].reduce(0) { $0 << 8 | Int64($1) }
  }

  /// Seven bits of exponent and 25 of coefficient, both with a sign.
  func float(_ start: Int) -> Double {
    let word = Int32(truncatingIfNeeded: integer(start, 4))
    let exponent = Int(word >> 25) - 25
    let coefficient = (word << 7) >> 7
    return Double(coefficient) * Double(sign: .plus, exponent: exponent, significand: 1)
  }

  /// The time of the last measurement.
  private var moment: Outcome {
    let high = integer(56, 4)
    // What a system without 64 bits sends.
    let seconds = (high == 0x7FFF_FFFF ? 0 : high << 32) | integer(60, 4)
    let nanoseconds = integer(64, 4)
    if seconds == 0 { return .noData("never") }
    guard seconds > 0, seconds < Int64.max / 1_000_000_000 - 1, nanoseconds < 1_000_000_000 else {
      return .failed("reference time is \(seconds) s \(nanoseconds) ns")
    }
    return .ok(.time(seconds * 1_000_000_000 + nanoseconds))
  }

  /// An address, or the four letters of a reference clock.
  private var server: Outcome {
    switch integer(48, 2) {
    case 1: return .ok(.string(InterfaceAddress.text(of: Array(bytes[32..<36]))))
    case 2: return .ok(.string(InterfaceAddress.text(of: Array(bytes[32..<48]))))
    default:
      let letters = bytes[28..<32].prefix { $0 != 0 }
      guard !letters.isEmpty, letters.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        return .noData("chronyd has no server")
      }
      return .ok(.string(letters.lenientText))
    }
  }
}
