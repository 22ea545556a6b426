import Machine

extension Mechanism {
  /// The mechanisms of this computer.
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
    return found + [libiio(), bus(), libnl(), libasound(), libdrm(), nvml()]
  }

  /// libnl, for wireless interfaces.
  private static func libnl() -> Mechanism {
    do {
      return Mechanism(name: "libnl", version: try Libnl.version())
    } catch {
      return Mechanism(
        name: "libnl", version: "", reason: error.reason, remedy: "install \(error.package)")
    }
  }

  /// sd-bus, for daemons.
  static func bus() -> Mechanism {
    do {
      return Mechanism(name: "sd-bus", version: try Libsystemd.file())
    } catch {
      return Mechanism(
        name: "sd-bus", version: "", reason: error.reason, remedy: "install \(error.package)")
    }
  }

  /// libiio, which brings the buffers of IIO devices, and the devices of other machines.
  static func libiio() -> Mechanism {
    do {
      return Mechanism(name: "libiio", version: try Libiio.version())
    } catch {
      return Mechanism(
        name: "libiio", version: "", reason: error.reason, remedy: "install \(error.package)")
    }
  }

  /// libasound, which captures sound.
  private static func libasound() -> Mechanism {
    do {
      return Mechanism(name: "libasound", version: try Libasound.version())
    } catch {
      return Mechanism(
        name: "libasound", version: "", reason: error.reason, remedy: "install \(error.package)")
    }
  }

  /// libdrm, for the modes of screens.
  private static func libdrm() -> Mechanism {
    do {
      return Mechanism(name: "libdrm", version: try Libdrm.file())
    } catch {
      return Mechanism(
        name: "libdrm", version: "", reason: error.reason, remedy: "install \(error.package)")
    }
  }

  /// libnvidia-ml, for the cards of NVIDIA's driver.
  private static func nvml() -> Mechanism {
    do {
      return Mechanism(name: "nvml", version: try NvidiaLibrary.found())
    } catch {
      return Mechanism(
        name: "nvml", version: "", reason: error.reason, remedy: "install \(error.package)")
    }
  }

  /// gpsd.
  static func gpsd(_ service: ServiceAccess, in files: any FileTree) -> Mechanism {
    let isInstalled = (try? files.canonicalPath(of: "/usr/sbin/gpsd")) != nil
    let remedy = isInstalled ? "start gpsd on \(service.address.text)" : "install gpsd"
    return daemon("gpsd", service, remedy: remedy)
  }

  /// upsd.
  static func upsd(_ service: ServiceAccess) -> Mechanism {
    daemon("upsd", service, remedy: "install nut-server and set MODE in /etc/nut/nut.conf")
  }

  /// Whether anything listens where a daemon should, by the kernel's tables and without connecting,
  /// which would start one behind an activated socket (sources A2).
  private static func daemon(
    _ name: String, _ service: ServiceAccess, remedy: String
  ) -> Mechanism {
    let place = service.address.text
    guard service.address.isLocal else {
      return Mechanism(name: name, version: place, reason: "on another machine, not contacted")
    }
    switch service.ports.look(at: service.address) {
    case .listener: return Mechanism(name: name, version: "listening on \(place)")
    case .nothing:
      return Mechanism(
        name: name, version: "", reason: "nothing listens on \(place)", remedy: remedy)
    case .unknown:
      return Mechanism(
        name: name, version: "", reason: "/proc/net/tcp cannot be read",
        remedy: "mount the proc file system at /proc")
    }
  }

  /// The mechanisms of a captured tree (sources C3); libraries only if a parameter needs them.
  static func captured(hasLibiio: Bool, hasBus: Bool, hasSound: Bool) -> [Mechanism] {
    captured + (hasLibiio ? [libiio()] : []) + (hasBus ? [bus()] : [])
      + (hasSound ? [libasound()] : [])
  }

  private static let captured = [
    Mechanism(name: "procfs", version: "captured"), Mechanism(name: "sysfs", version: "captured"),
    Mechanism(
      name: "udev", version: "", reason: "a captured tree sends no kernel events",
      remedy: "open local: on the machine itself"),
  ]
}
