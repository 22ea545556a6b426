import Glibc

/// The keys pressed on standard input, one by one and without showing them.
///
/// Signals of the terminal, such as Ctrl-C, keep their effect.
final class Keyboard {
  /// A key that a command can use.
  enum Key: Equatable {
    case character(Character)
    case left, right, up, down
    case enter, escape, backspace, pageUp, pageDown, home, end
  }

  /// How it was found.
  let former: termios
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

  /// Gives the terminal back at once, if it takes that: the process ends.
  static func restore(_ former: termios) {
    var state = former
    tcsetattr(STDIN_FILENO, TCSANOW, &state)
    _ = fcntl(STDOUT_FILENO, F_SETFL, fcntl(STDOUT_FILENO, F_GETFL) | O_NONBLOCK)
    let farewell = Array(FullScreen.farewell.utf8)
    _ = write(STDOUT_FILENO, farewell, farewell.count)
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
      switch byte {
      // ESC [ A, ESC O A, or ESC [ 5 ~.
      case 0x1B:
        guard let next = rest.first, next == 0x5B || next == 0x4F else {
          keys.append(.escape)
          continue
        }
        rest = rest.dropFirst()
        let numbers = rest.prefix { (0x30..<0x40).contains($0) }
        rest = rest.dropFirst(numbers.count)
        if let end = rest.popFirst(), let key = key(endingIn: end, numbers) { keys.append(key) }
      case 0x0A, 0x0D: keys.append(.enter)
      case 0x08, 0x7F: keys.append(.backspace)
      case 0x20..<0x7F: keys.append(.character(Character(Unicode.Scalar(byte))))
      case 0x80...:
        // A character of UTF-8, up to the next one that begins.
        let others = rest.prefix { $0 & 0xC0 == 0x80 }
        rest = rest.dropFirst(others.count)
        let text = String(decoding: [byte] + others, as: UTF8.self)
        if text.count == 1 { keys.append(.character(Character(text))) }
      default: break
      }
    }
    return keys
  }

  /// The key of a sequence, by its last byte and the digits before that.
  private static func key(endingIn end: UInt8, _ numbers: ArraySlice<UInt8>) -> Key? {
    switch (end, String(decoding: numbers, as: UTF8.self)) {
    case (0x41, _): .up
    case (0x42, _): .down
    case (0x43, _): .right
    case (0x44, _): .left
    case (0x48, _), (0x7E, "1"), (0x7E, "7"): .home
    case (0x46, _), (0x7E, "4"), (0x7E, "8"): .end
    case (0x7E, "5"): .pageUp
    case (0x7E, "6"): .pageDown
    default: nil
    }
  }
}
