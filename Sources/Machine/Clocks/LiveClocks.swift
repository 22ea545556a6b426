import CLinux
import Ground

/// This computer's clock, by `adjtimex(2)` without modes, which all may call.
struct LiveKernelClock: KernelClock {
  func numbers() throws(SystemError) -> ClockNumbers {
    var clock = clinux_clock()
    let answer = clinux_clock_read(&clock)
    guard answer == 0 else { throw SystemError(-answer, at: "adjtimex") }
    var numbers = ClockNumbers()
    for number in ClockNumber.allCases { numbers[number] = .number(clock[number]) }
    return numbers
  }
}

extension clinux_clock {
  fileprivate subscript(_ number: ClockNumber) -> Int64 {
    switch number {
    case .state: state
    case .status: status
    case .offset: offset
    case .freq: freq
    case .maxerror: maxerror
    case .esterror: esterror
    case .tick: tick
    case .jitter: jitter
    case .tai: tai
    }
  }
}

/// The clocks of this computer's devices (`linux/ptp_clock.h`).
struct LiveHardwareClocks: HardwareClockOpener {
  func open(clock: String) throws(SystemError) -> any HardwareClock {
    let path = "/dev/" + clock
    return LiveHardwareClock(path, try RootedFileTree.openHost(path, at: path))
  }
}

/// One that is open.
private final class LiveHardwareClock: HardwareClock {
  private let path: String
  private let device: Descriptor

  init(_ path: String, _ device: Descriptor) {
    self.path = path
    self.device = device
  }

  func offset() throws(SystemError) -> Int64 {
    var offset: Int64 = 0
    let answer = clinux_hardware_clock_offset(device.number, &offset)
    guard answer == 0 else { throw SystemError(-answer, at: path) }
    return offset
  }
}
