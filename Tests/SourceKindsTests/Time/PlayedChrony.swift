import Gathering
import Glibc
import Ground
import Machine

@testable import SourceKinds

/// A chronyd whose answers a test makes; they come from no socket.
struct PlayedChrony: DatagramLink {
  let address = ServiceAddress.chrony
  /// The datagrams that answer one, in order; none for silence.
  let answers: @Sendable ([UInt8]) -> [[UInt8]]
  /// An errno instead of them.
  var failure: Int32?

  func exchange(
    _ request: [UInt8], within nanoseconds: Int64, accepting isAnswer: ([UInt8]) -> Bool
  ) throws(SystemError) -> [UInt8] {
    if let failure { throw SystemError(failure, at: address.text) }
    guard let answer = answers(request).first(where: isAnswer) else {
      throw SystemError(ETIMEDOUT, at: address.text)
    }
    return answer
  }

  /// One that answers with a report.
  init(_ report: PlayedReport = PlayedReport()) {
    answers = { [report.datagram(answering: $0)] }
  }

  init(_ answers: @escaping @Sendable ([UInt8]) -> [[UInt8]]) { self.answers = answers }

  /// One that cannot be reached.
  init(failing code: Int32) {
    self.init { _ in [] }
    failure = code
  }
}

/// A report of chronyd's, written as its header file has it (`candm.h`).
struct PlayedReport: Sendable {
  var version: UInt8 = 6
  var status: UInt16 = 0
  var format: UInt16 = 5
  var reference: UInt32 = 0xC000_0207
  var address: [UInt8] = [192, 0, 2, 7]
  var family: UInt16 = 1
  var stratum: UInt16 = 3
  var leap: UInt16 = 0
  var time: [UInt32] = [0, 1_700_000_000, 250_000_000]
  /// The correction, two offsets, three frequencies, delay, dispersion and interval.
  var floats: [UInt32] = [
    Self.float(-3, -10), 0, Self.float(5, -13), 0, 0, 0, Self.float(1, -6), Self.float(3, -8),
    Self.float(65, 4),
  ]

  /// A number `coefficient × 2^power` as chrony sends it: 7 bits of exponent, counted from 25, and
  /// 25 bits of coefficient.
  static func float(_ coefficient: Int32, _ power: Int32) -> UInt32 {
    UInt32(bitPattern: (power + 25) << 25) | UInt32(bitPattern: coefficient) & 0x1FF_FFFF
  }

  func datagram(answering request: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [version, 2, 0, 0]
    func add(_ number: UInt32, _ count: UInt32 = 4) {
      for place in (0..<count).reversed() {
        bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place)))
      }
    }
    add(33, 2)
    add(UInt32(format), 2)
    add(UInt32(status), 2)
    bytes += [0, 0, 0, 0, 0, 0] + request[8..<12] + [0, 0, 0, 0, 0, 0, 0, 0]
    add(reference)
    bytes += address + [UInt8](repeating: 0, count: 16 - address.count)
    add(UInt32(family), 2)
    add(0, 2)
    add(UInt32(stratum), 2)
    add(UInt32(leap), 2)
    for number in time + floats { add(number) }
    return bytes
  }
}

extension Machine {
  /// The same machine with other clocks.
  func with(clocks: ClockAccess) -> Machine {
    Machine(
      nature: nature, files: files, notices: notices, clock: clock, switches: switches,
      addresses: addresses, bus: bus, clocks: clocks)
  }

  /// The same machine with a chronyd.
  func with(chrony: PlayedChrony) -> Machine {
    with(clocks: ClockAccess(kernel: clocks.kernel, hardware: clocks.hardware, chrony: chrony))
  }
}
