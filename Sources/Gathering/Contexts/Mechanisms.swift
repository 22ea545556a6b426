import Machine

extension Mechanism {
  /// How this computer is asked.
  static func live() -> [Mechanism] {
    var found = [
      Mechanism(name: "procfs", version: "/proc"), Mechanism(name: "sysfs", version: "/sys"),
      Mechanism(name: "rtnetlink", version: "libc"),
    ]
    do {
      let library = try SharedLibrary("libudev.so.1", package: "libudev1")
      found.append(Mechanism(name: "udev", version: library.name))
    } catch {
      found.append(
        Mechanism(
          name: "udev", version: "", reason: error.reason, remedy: "install \(error.package)"))
    }
    return found
  }

  /// What a captured tree has and has not (sources C3).
  static let captured = [
    Mechanism(name: "procfs", version: "captured"), Mechanism(name: "sysfs", version: "captured"),
    Mechanism(
      name: "udev", version: "", reason: "a captured tree sends no kernel events",
      remedy: "open local: on the machine itself"),
  ]
}
