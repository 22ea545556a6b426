import Glibc

/// The keys pressed on standard input, one by one and without showing them.
///
/// Signals of the terminal, such as Ctrl-C, keep their effect.
final class Keyboard {
  /// A key that a command can use.
  enum Key: Equatable {
    case character(Character)
    case left, right, up, down
  }

  private let former: termios
  private var isHeld = false

  /// The keyboard; nil where standard input is no terminal.
  init?() {
    var state = termios()
    guard isatty(STDIN_FILENO) == 1, tcgetattr(STDIN_FILENO, &state) == 0 else { return nil }
    former = state
  }

  deinit { end() }

  /// The descriptor that is readable while keys are pending.
  var descriptor: Int32 { STDIN_FILENO }

  /// Takes the keyboard; again after `end`, when the process was suspended.
  func begin() {
    var state = former
    state.c_lflag &= ~tcflag_t(ICANON | ECHO)
    isHeld = tcsetattr(STDIN_FILENO, TCSANOW, &state) == 0
  }

  /// Leaves it as it was found.
  func end() {
    guard isHeld else { return }
    var state = former
    tcsetattr(STDIN_FILENO, TCSANOW, &state)
    isHeld = false
  }

  /// The keys that wait, in order.
  func takeAll() -> [Key] {
    var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard isHeld, poll(&waiting, 1, 0) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    // A closed terminal is readable for ever.
    if count <= 0 { isHeld = false }
    return Self.keys(in: Array(bytes.prefix(max(count, 0))))
  }

  /// The keys that a terminal sends as some bytes.
  static func keys(in bytes: [UInt8]) -> [Key] {
    var keys: [Key] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      // ESC [ A, or ESC O A.
      if byte == 0x1B, let next = rest.first, next == 0x5B || next == 0x4F {
        rest = rest.dropFirst()
        switch rest.popFirst() {
        case 0x41: keys.append(.up)
        case 0x42: keys.append(.down)
        case 0x43: keys.append(.right)
        case 0x44: keys.append(.left)
        default: break
        }
      } else if (0x20..<0x7F).contains(byte) {
        keys.append(.character(Character(Unicode.Scalar(byte))))
      }
    }
    return keys
  }
}
