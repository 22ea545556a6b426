import CLinux
import Glibc
import Ground

/// Switch states of this computer's input devices, by `EVIOCGSW` on `/dev/input/eventN`.
struct LiveSwitches: SwitchReader {
  func switchesOn(of eventDevice: String) throws(SystemError) -> UInt64 {
    let path = "/dev/input/" + eventDevice
    let device = try RootedFileTree.openHost(path, at: path)
    var mask: UInt64 = 0
    let answer = clinux_switches_on(device.number, &mask)
    guard answer == 0 else { throw SystemError(-answer, at: path) }
    return mask
  }
}
