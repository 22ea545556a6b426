import Gathering

extension Capture {
  static var about: KindMeaning {
    KindMeaning(
      "who uses the microphones and cameras; nothing is opened",
      from: "/proc/asound, /sys/class/video4linux, runtime power, /proc/PID/fd",
      instances: "the microphones in the order of sound cards, then the cameras")
  }
}

extension Capture.Field {
  var meaning: Meaning {
    switch self {
    case .inUse:
      Meaning("whether a program uses it", from: "status of the PCM; who has the node open; power")
    case .since: Meaning("when that was seen to begin", from: "time of the reading")
    case .by: Meaning("programs that use it", from: "/proc/PID/comm, spaces as _")
    case .role: Meaning("what it captures", from: "where it is listed")
    case .evidence: Meaning("what is known of its use by", from: "which of these could be read")
    case .name: Meaning("name of the device", from: "name; of a sound card /proc/asound/cards")
    case .driver: Meaning("its driver", from: "device/driver")
    case .builtIn: Meaning("whether it is a part of the machine", from: "removable of USB")
    }
  }
}
