import Glibc
import Ground

extension DescriptorLink {
  /// Lines from a serial port or another character device, read as it is set.
  public init(device: String) {
    self.init(named: "gkit-serial") { _ throws(SystemError) in try TerminalChannel(device) }
  }
}

/// A device opened for reading. Echo is switched off on a terminal, so that the receiver does not
/// get its own output, and its settings are restored.
private final class TerminalChannel: LineChannel {
  let descriptor: Descriptor
  private var before: termios?

  init(_ path: String) throws(SystemError) {
    let number = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw SystemError(errno, at: path) }
    descriptor = Descriptor(owning: number)
    var settings = termios()
    guard isatty(number) == 1, tcgetattr(number, &settings) == 0 else { return }
    let wanted = settings.c_lflag & ~tcflag_t(ECHO | ECHONL | ISIG)
    // A correct setting is not touched (sources P5).
    guard wanted != settings.c_lflag else { return }
    before = settings
    settings.c_lflag = wanted
    tcsetattr(number, TCSANOW, &settings)
  }

  deinit {
    if var before { tcsetattr(descriptor.number, TCSANOW, &before) }
  }
}
