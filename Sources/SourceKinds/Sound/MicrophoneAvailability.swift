import Gathering
import Ground
import Machine

extension Microphone {
  /// The availability after a failure to open or continue a capture (sources E3).
  static func availability(after error: SystemError) -> Availability {
    let state: Availability.State
    let remedy: String
    switch error.code {
    case SystemText.noEntry:
      (state, remedy) = (.noHardware, "")
    case SystemText.busy:
      (state, remedy) = (.busy, "end the program that captures from \(error.place)")
    case SystemText.accessDenied, SystemText.notPermitted:
      (state, remedy) = (.permissionDenied, self.remedy)
    case SystemText.noDevice:
      (state, remedy) = (.disconnected, "attach the device again")
    case SystemText.noLibrary:
      (state, remedy) = (.failed, "install libasound2")
    default:
      (state, remedy) = (.failed, "find out why arecord cannot capture from \(error.place)")
    }
    return Availability(
      state, backend: "alsa", detail: "\(error.place): \(SystemText.message(of: error.code))",
      errno: error.code, remedy: remedy)
  }

  /// The remedy that gives access to the nodes of sound devices.
  private static let remedy =
    "add yourself to group audio, or log in at the machine itself: its active seat may capture"

  /// Why a device's own node is closed to us, found without opening it.
  static func refusal(of node: String, on machine: Machine) -> Availability? {
    do throws(SystemError) {
      try machine.files.checkAccess(to: node, for: .reading)
    } catch {
      let isClosed =
        error.code == SystemText.accessDenied || error.code == SystemText.notPermitted
      return isClosed ? availability(after: error) : nil
    }
    return nil
  }

  /// Without libasound nothing is captured.
  static func missing(_ library: MissingLibrary) -> Availability {
    Availability(
      .failed, backend: "alsa", detail: library.reason, errno: library.systemError.code,
      remedy: "install \(library.package)")
  }

  /// There is no list of devices: mostly for want of sound cards.
  static func unlisted(_ error: SystemError) -> Availability {
    let detail = "\(error.place): \(SystemText.message(of: error.code))"
    guard error.code == SystemText.noEntry else {
      return Availability(listing: error, backend: "alsa")
    }
    return Availability(.noHardware, backend: "alsa", detail: detail, errno: error.code)
  }
}
