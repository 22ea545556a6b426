import Ground

/// The kernel's clock of a captured tree: `.gkit/adjtimex`, lines of `NAME VALUE` (sources C3).
struct CapturedClock: KernelClock {
  static let path = "/.gkit/adjtimex"
  let files: any FileTree

  func numbers() throws(SystemError) -> ClockNumbers {
    var numbers = ClockNumbers()
    for words in try SidecarFile.lines(of: Self.path, in: files) {
      guard let name = words.first,
        let number = ClockNumber.allCases.first(where: { name == $0.name })
      else { continue }
      let value = words.count == 2 ? words[1] : ""
      numbers[number] =
        value.first == "+"
        ? .malformed(String(value))
        : Int64(value).map(ClockNumbers.Entry.number) ?? .malformed(String(value))
    }
    return numbers
  }
}

extension FolderTree {
  /// The side file of the kernel's clock.
  public mutating func add(clock numbers: ClockNumbers?) {
    guard let numbers else { return }
    var text = ""
    for number in ClockNumber.allCases {
      if case .number(let value) = numbers[number] { text += "\(number.name) \(value)\n" }
    }
    files[CapturedClock.path] = Array(text.utf8)
  }
}
