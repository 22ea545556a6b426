import GatheredKitTesting
import Gathering
import Machine
import Values

@testable import SourceKinds

/// A machine with a sound card and a camera behind USB that has a microphone of its own.
struct WatchedRoom {
  static let usb = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-8"
  static let camera = "Integrated Camera: Integrated C.usb-1-8:1.0"
  static let status = "/proc/asound/card0/pcm0c/sub0/status"
  static let power = "\(usb)/power/runtime_status"

  let fixture: FixtureMachine

  /// Texts and links in place of the usual ones.
  init(
    _ texts: [String: String] = [:], links: [String: String] = [:],
    nature: Machine.Nature = .captured
  ) throws {
    fixture = try FixtureMachine(
      Self.texts.merging(texts) { $1 }, links: Self.links.merging(links) { $1 }, nature: nature)
  }

  func read(_ name: String, allow: Allowance = .all) throws -> [String: Outcome] {
    try KindHarness(Capture(), machine: fixture.machine, allow: allow).read(name)
  }

  /// Another process, with what it has open.
  func run(_ number: Int, _ name: String, open paths: [String] = []) throws {
    try fixture.makeFolder("/proc/\(number)/fd")
    try fixture.write("\(name)\n", to: "/proc/\(number)/comm")
    try fixture.write("Name:\t\(name)\nTgid:\t\(number)\n", to: "/proc/\(number)/status")
    for (place, path) in paths.enumerated() {
      try fixture.link("/proc/\(number)/fd/\(place)", to: path)
    }
  }

  /// What the kernel says of a substream that a thread has opened.
  static func opened(_ state: String, by thread: Int = 4321) -> String {
    """
    state: \(state)
    owner_pid   : \(thread)
    trigger_time: 3661.124212893
    tstamp      : 3662.904171222
    delay       : 48
    avail       : 48
    avail_max   : 1024
    -----
    hw_ptr      : 85344
    appl_ptr    : 85296

    """
  }

  private static let texts: [String: String] = [
    "/proc/asound/pcm": """
    00-00: ALC257 Analog : ALC257 Analog : playback 1 : capture 1
    00-03: HDMI 0 : HDMI 0 : playback 1

    """,
    "/proc/asound/cards": """
     0 [PCH            ]: HDA-Intel - HDA Intel PCH
                          HDA Intel PCH at 0x603f240000 irq 184
     1 [C              ]: USB-Audio - Integrated Camera
                          Chicony Integrated Camera at usb-0000:00:14.0-8

    """,
    "/proc/asound/card0/id": "PCH\n", status: "closed\n",
    "/proc/asound/card1/pcm0c/sub0/status": "closed\n",
    "/proc/sys/kernel/osrelease": "6.1.0-18-amd64\n",
    "/sys/devices/pci0000:00/0000:00:1f.3/sound/card0/id": "PCH\n",
    power: "suspended\n", "\(usb)/power/control": "auto\n", "\(usb)/removable": "fixed\n",
    "\(usb)/1-8:1.0/video4linux/video0/index": "0\n",
    "\(usb)/1-8:1.0/video4linux/video0/name": "Integrated Camera: Integrated C\n",
    "\(usb)/1-8:1.0/video4linux/video0/dev": "81:0\n",
    "\(usb)/1-8:1.0/video4linux/video1/index": "1\n",
    "\(usb)/1-8:1.0/video4linux/video1/name": "Integrated Camera: Integrated C\n",
    "\(usb)/1-8:1.1/bInterfaceNumber": "01\n", "\(usb)/1-8:1.2/sound/card1/id": "C\n",
  ]

  private static let links: [String: String] = [
    "/sys/class/sound/card0": "../../devices/pci0000:00/0000:00:1f.3/sound/card0",
    "/sys/devices/pci0000:00/0000:00:1f.3/sound/card0/device": "../../../0000:00:1f.3",
    "/sys/devices/pci0000:00/0000:00:1f.3/driver": "../../../bus/pci/drivers/snd_hda_intel",
    "/sys/class/video4linux/video0":
      "../../devices/pci0000:00/0000:00:14.0/usb1/1-8/1-8:1.0/video4linux/video0",
    "/sys/class/video4linux/video1":
      "../../devices/pci0000:00/0000:00:14.0/usb1/1-8/1-8:1.0/video4linux/video1",
    "\(usb)/1-8:1.0/video4linux/video0/device": "../../../1-8:1.0",
    "\(usb)/1-8:1.0/video4linux/video1/device": "../../../1-8:1.0",
    "\(usb)/1-8:1.0/driver": "../../../../../../bus/usb/drivers/uvcvideo",
    "\(usb)/1-8:1.1/driver": "../../../../../../bus/usb/drivers/uvcvideo",
    "\(usb)/1-8:1.2/driver": "../../../../../../bus/usb/drivers/snd-usb-audio",
  ]
}
