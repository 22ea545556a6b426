import Glibc
import Ground

/// Switch states of a captured tree: `.gkit/switches`, lines of `eventN HEXMASK` (sources C3).
struct CapturedSwitches: SwitchReader {
  static let path = "/.gkit/switches"
  let files: any FileTree

  func switchesOn(of eventDevice: String) throws(SystemError) -> UInt64 {
    let lines = try SidecarFile.lines(of: Self.path, in: files)
    for words in lines where words.first == eventDevice[...] {
      let digits = words.count == 2 ? words[1] : ""
      let bare = digits.hasPrefix("0x") ? digits.dropFirst(2) : digits
      guard let mask = UInt64(bare, radix: 16), bare.first != "+" else {
        throw SystemError(EINVAL, at: Self.path)
      }
      return mask
    }
    throw SystemError(EOPNOTSUPP, at: eventDevice)
  }
}

extension FolderTree {
  /// The side file of switch states.
  public mutating func add(switches states: [String: UInt64]) {
    guard !states.isEmpty else { return }
    let lines = states.sorted { $0.key < $1.key }.map { "\($0) \(String($1, radix: 16))\n" }
    files[CapturedSwitches.path] = Array(lines.joined().utf8)
  }
}
