import Gathering
import Machine

extension Screen {
  /// Sets the brightness of a screen's backlight, as a share of its largest.
  static func setBrightness(
    _ share: Double, of instance: Instance, on machine: Machine
  ) throws(SourceError) {
    guard let folder = instance.notes["backlight"] else {
      throw .notSupported("\(instance.name) has no backlight that could be set")
    }
    let largest = Outcome(reading: KeptFile("\(folder)/max_brightness", in: machine.files), .count)
    guard let most = largest.integer, most > 0 else {
      let reason = largest.absence?.reason ?? "\(folder)/max_brightness is 0"
      throw .notSupported("the brightness cannot be set: \(reason)")
    }
    let path = "\(folder)/brightness"
    let raw = Int64((share * Double(most)).rounded())
    do throws(SystemError) {
      try machine.files.write(Array("\(raw)\n".utf8), to: path)
    } catch {
      throw refusal(error)
    }
  }

  private static func refusal(_ error: SystemError) -> SourceError {
    switch error.code {
    case SystemText.accessDenied, SystemText.notPermitted:
      .unavailable(
        Availability(
          .permissionDenied, backend: "sysfs",
          detail: "\(error.place): \(SystemText.message(of: error.code))", errno: error.code,
          remedy: "give this user write access to \(error.place), by group video and a udev rule"))
    default: .io(errno: error.code, place: error.place)
    }
  }
}
