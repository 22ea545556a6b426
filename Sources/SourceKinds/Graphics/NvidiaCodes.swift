import Gathering
import Machine
import Values

/// What the codes of NVIDIA's management library mean: nvmlReturn_t in nvml.h.
enum NvidiaCodes {
  /// A function that the library has not.
  static let old = Outcome.unsupported("\(NvidiaLibrary.file) is too old to tell it")
  /// A tree holds files, and no driver.
  static let captured = Outcome.unsupported("a captured tree has no \(NvidiaLibrary.file)")

  /// What stands for "none" in numbers of 16 and 32 bits.
  static func isNone(_ number: Int64) -> Bool { number == 0xFFFF || number == 0xFFFF_FFFF }

  /// What a number that was not given comes to.
  static func outcome(of answer: NvidiaReading.Answer<Int64>) -> Outcome {
    switch answer {
    case .value(let number): .ok(.int(number))
    case .refused(let code): outcome(of: code)
    case .missing: old
    }
  }

  /// What a value comes to that was refused with a code.
  static func outcome(of code: Int32) -> Outcome {
    switch code {
    case 3, 13, 25, 26: .unsupported("the card does not tell it")
    case 4:
      .permission(
        "NVIDIA's driver refuses it", errno: SystemText.notPermitted,
        remedy: "run the program as root")
    case 6, 21, 27: .noData("NVIDIA's driver has it not at present")
    default: Outcome(status: .failed, absence: failure(of: code).absence)
    }
  }

  /// What a code says of a whole card, or of all.
  static func failure(of code: Int32) -> NvidiaTrouble {
    switch code {
    case 9, 28:
      NvidiaTrouble(
        .noHardware, "NVIDIA's driver shows no card", errno: SystemText.noDevice,
        remedy: "load the nvidia module")
    case 10:
      NvidiaTrouble(
        .failed, "NVIDIA's driver did not answer", errno: SystemText.timedOut,
        remedy: "restart the machine: NVIDIA's driver hangs")
    case 15:
      NvidiaTrouble(
        .disconnected, "the card is off its bus", errno: SystemText.noDevice,
        remedy: "check that the card sits well and has power")
    case 16:
      NvidiaTrouble(
        .failed, "the card has to be reset", errno: SystemText.io, remedy: "reset the card")
    case 18:
      NvidiaTrouble(
        .failed, "NVIDIA's driver and library differ", errno: SystemText.noLibrary,
        remedy: "reboot: driver and library differ")
    case 4:
      NvidiaTrouble(
        .permissionDenied, "NVIDIA's driver refuses us", errno: SystemText.notPermitted,
        remedy: "give this user read access to /dev/nvidiactl")
    default:
      NvidiaTrouble(
        .failed, "NVIDIA's library gave error \(code)", errno: SystemText.io,
        remedy: "look for NVRM in the kernel's log")
    }
  }
}

/// Why cards cannot be asked.
struct NvidiaTrouble {
  let state: Availability.State
  let absence: Absence

  init(_ state: Availability.State, _ reason: String, errno: Int32, remedy: String) {
    self.state = state
    absence = Absence(reason, errno: errno, remedy: remedy)
  }
}

extension NvidiaFailure {
  /// What it means for the cards of a machine.
  private func trouble(on machine: Machine) -> NvidiaTrouble {
    switch self {
    case .missing(let library):
      return NvidiaTrouble(
        .failed, library.reason, errno: SystemText.noLibrary, remedy: "install \(library.package)")
    case .timedOut: return NvidiaCodes.failure(of: 10)
    case .card(let code): return NvidiaCodes.failure(of: code)
    case .library(let code):
      let trouble = NvidiaCodes.failure(of: code)
      guard trouble.state == .noHardware, Self.isContainer(machine) else { return trouble }
      return NvidiaTrouble(
        .noHardware, trouble.absence.reason, errno: trouble.absence.errno,
        remedy: "start the container with its GPUs")
    }
  }

  /// Whether what runs us is a container, by the files that its maker leaves.
  private static func isContainer(_ machine: Machine) -> Bool {
    ["/run/.containerenv", "/.dockerenv", "/run/systemd/container"].contains {
      (try? machine.files.canonicalPath(of: $0)) != nil
    }
  }

  /// What every value of a card comes to.
  func outcome(on machine: Machine) -> Outcome {
    // A card that the library does not know at present, or may not be asked, has no fault.
    if case .card(let code) = self, [4, 6, 21, 27].contains(code) {
      return NvidiaCodes.outcome(of: code)
    }
    return Outcome(status: .failed, absence: trouble(on: machine).absence)
  }

  /// Whether a card can be asked, as far as is known.
  static func availability(ofCard address: String, on machine: Machine) -> Availability {
    guard let cards = machine.nvidia else {
      return Availability(
        .available, backend: "sysfs", detail: "a captured tree has no \(NvidiaLibrary.file)",
        remedy: "open local: on the machine itself")
    }
    guard let trouble = cards.failure(of: address)?.trouble(on: machine) else {
      return Availability(.available, backend: "NVML")
    }
    return Availability(
      trouble.state, backend: "NVML", detail: trouble.absence.reason, errno: trouble.absence.errno,
      remedy: trouble.absence.remedy)
  }
}
