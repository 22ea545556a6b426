import Gathering
import Ground
import Machine
import Values

/// What adjtimex(2) says of the clock (`linux/timex.h`).
struct KernelState {
  private typealias Field = SystemClock.Field

  /// STA_PLL: a daemon has the kernel steer by an offset.
  static let steers: Int64 = 0x0001
  /// STA_UNSYNC: nothing sets the clock.
  static let unsynchronized: Int64 = 0x0040
  /// STA_PPSSIGNAL: the kernel hears pulses.
  static let hearsPulses: Int64 = 0x0100
  /// STA_NANO: small times are in ns.
  static let nanoseconds: Int64 = 0x2000

  private let answer: Result<ClockNumbers, SystemError>

  init(_ clock: (any KernelClock)?) {
    guard let clock else {
      answer = .failure(SystemError(SystemText.notSupported, at: "adjtimex"))
      return
    }
    do throws(SystemError) {
      answer = .success(try clock.numbers())
    } catch {
      answer = .failure(error)
    }
  }

  /// Reads what no daemon tells.
  func read(into reading: inout Reading, _ raws: inout [Int: RawValue]) {
    take(.synchronized, .status, &reading, &raws) { .ok(.bool($0 & Self.unsynchronized == 0)) }
    // The answer says nearly the same, and is what other programs go by.
    if case .number(let state) = entry(.state) {
      raws[Field.synchronized.rawValue]?.bytes += Array(" \(state)".utf8)
    }
    take(.maximumError, .maxerror, &reading, &raws, Self.error)
    take(.estimatedError, .esterror, &reading, &raws, Self.error)
    take(.taiOffset, .tai, &reading, &raws) { $0 == 0 ? .noData("not set") : .ok(.int($0)) }
    take(.frequencyCorrection, .freq, &reading, &raws) { freq in
      outcome(of: .tick) { tick in
        // A tick is a hundredth of a second: one microsecond more is 100 ppm.
        .ok(.double(Double(freq) / 65536 + (Double(tick) - 10_000) * 100))
      }
    }
  }

  /// Reads what the kernel knows where no daemon tells it; `absence` is the daemon's.
  func readDiscipline(
    into reading: inout Reading, _ raws: inout [Int: RawValue], orElse absence: Outcome
  ) {
    take(.leap, .state, &reading, &raws, Self.leap)
    guard case .number(let status) = entry(.status) else {
      reading[Field.offset] = outcome(of: .status) { _ in absence }
      reading[Field.jitter] = reading[Field.offset]
      return
    }
    let unit = status & Self.nanoseconds != 0 ? 1e9 : 1e6
    if status & Self.steers != 0 {
      take(.offset, .offset, &reading, &raws) { Self.plausible(Double($0) / unit) }
    } else {
      reading[Field.offset] = absence
    }
    if status & Self.hearsPulses != 0 {
      take(.jitter, .jitter, &reading, &raws) {
        $0 < 0 ? .failed("jitter is \($0)") : .ok(.double(Double($0) / unit))
      }
    } else {
      reading[Field.jitter] = absence
    }
  }

  private func take(
    _ field: Field, _ number: ClockNumber, _ reading: inout Reading, _ raws: inout [Int: RawValue],
    _ rule: (Int64) -> Outcome
  ) {
    reading[field] = outcome(of: number, rule)
    if case .number(let value) = entry(number) {
      raws[field.rawValue] = RawValue("\(value)".utf8, place: "adjtimex.\(number.name)")
    }
  }

  private func entry(_ number: ClockNumber) -> ClockNumbers.Entry {
    (try? answer.get())?[number] ?? .missing
  }

  private func outcome(of number: ClockNumber, _ rule: (Int64) -> Outcome) -> Outcome {
    if case .failure(let error) = answer { return Self.refused(error) }
    return switch entry(number) {
    case .number(let value): rule(value)
    case .missing: .unsupported("the tree does not tell \(number.name) of adjtimex")
    case .malformed(let text): .unparsable(Array(text.utf8)[...])
    }
  }

  /// The call itself is open to all: what refuses it is around this process.
  private static func refused(_ error: SystemError) -> Outcome {
    let isRefusal = [SystemText.notPermitted, SystemText.accessDenied].contains(error.code)
    guard isRefusal, error.place == "adjtimex" else { return .from(error) }
    return .permission(
      "adjtimex: \(SystemText.message(of: error.code))", errno: error.code,
      remedy: "let the sandbox call adjtimex")
  }

  /// Sixteen seconds is what the kernel begins with, and what it ends at where nothing sets it.
  private static func error(_ microseconds: Int64) -> Outcome {
    if microseconds < 0 { return .failed("reported as \(microseconds) µs") }
    return microseconds >= 16_000_000
      ? .noData("never set") : .ok(.double(Double(microseconds) / 1e6))
  }

  /// The kernel steers by half a second at most: more is an overflow in virtual machines.
  private static func plausible(_ seconds: Double) -> Outcome {
    abs(seconds) > 0.5 ? .failed("implausible: \(seconds) s") : .ok(.double(seconds))
  }

  /// TIME_OK, TIME_INS, TIME_DEL, TIME_OOP, TIME_WAIT, TIME_ERROR.
  private static func leap(_ state: Int64) -> Outcome {
    switch state {
    case 0, 4: .ok(.string("none"))
    case 1, 3: .ok(.string("insert"))
    case 2: .ok(.string("delete"))
    case 5: .ok(.string("unsynchronized"))
    default: .failed("state is \(state)")
    }
  }
}
