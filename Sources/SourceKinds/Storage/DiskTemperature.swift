import Gathering
import Ground
import Machine
import Values

/// The temperature of a drive by the chip that the kernel makes of it.
///
/// Reading it may start the spin-down timer of a drive that turns anew: such a drive of a live
/// machine is read seldom, whatever was asked, and tells meanwhile what it was (catalogue G3).
final class DiskTemperature {
  private let file: ParsedFile
  private let rests: Bool
  private var last: (at: Int64, value: ReportedValue)?

  init?(of instance: Instance, on machine: Machine) {
    guard let chip = instance.notes["chip"] else { return nil }
    file = ParsedFile("\(chip)/temp1_input", .milliCelsius, in: machine.files)
    rests = instance.notes["rests"] != nil && machine.nature != .captured
  }

  func read(at now: Instant) -> ReportedValue {
    if rests, let last, now.boot - last.at < PollingFloor.ofTurningDrives.interval {
      return last.value
    }
    var value: ReportedValue = (file.read(), file.raw)
    if rests {
      value.outcome.stamp = now.boot
      value.outcome.stampOrigin = .library
      last = (now.boot, value)
    }
    return value
  }
}
