import CLinux
import Glibc
import Ground

/// Reports switches of an input device that move: EV_SW events of `/dev/input/eventN`.
final class SwitchNotices: Cancellable {
  private let device: Descriptor
  private let watch = SelfEndingWatch()

  /// `moved` gets the kernel's time of the event on CLOCK_BOOTTIME, nil where it cannot stamp so.
  init(
    _ path: String, on loop: any Loop, _ moved: @escaping @Sendable (Int64?) -> Void
  ) throws(SystemError) {
    let device = try RootedFileTree.openHost(path, at: path)
    self.device = device
    let isStamped = clinux_stamp_with_boot_time(device.number) == 0
    watch.begin(
      try loop.watch(descriptor: device.number, events: CLINUX_READABLE) { [watch] _ in
        var moment: Int64 = 0
        let answer = clinux_drain_switch_events(device.number, &moment)
        // A device that was removed stays ready for ever: this is its last notice.
        if answer < 0 { watch.cancel() }
        if answer != CLINUX_SWITCH_NONE { moved(answer > 0 && isStamped ? moment : nil) }
      })
  }

  func cancel() {
    watch.cancel()
  }
}
