import Gathering

@testable import SourceKinds
@testable import Values

/// What kernels write, and what they might: each parser answers, whatever the text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Input(data, count).bytes[...]
  readTables(bytes)
  readNumbers(bytes)
  if let screen = try? EDID(bytes) {
    for tag in [0xFC, 0xFE, 0xFF] as [UInt8] { _ = screen.text(ofDescriptor: tag) }
  }
  return 0
}

private func readTables(_ bytes: ArraySlice<UInt8>) {
  var reading = Reading(properties: 8)
  var meminfo = MeminfoText(labels: ["MemTotal", "MemFree", "SwapTotal"])
  // The second time lines are looked for where they stood before.
  for text in [bytes, bytes.dropFirst()] {
    meminfo.parse(text, from: "/proc/meminfo", into: &reading, at: [0, 1, 2])
    for index in 0..<3 { _ = meminfo.line(of: index, in: text) }
  }
  var pressure = PressureText()
  pressure.parse(bytes, from: "/proc/pressure/memory", into: &reading, at: Array(0..<8))
  _ = MountTable.mounts(in: bytes)
  for line in bytes.split(separator: 10) {
    _ = IPv6Addresses.address(in: line)
    _ = MountTable.unescaped(line)
  }
  for key in ["ID", "NAME", "PRETTY_NAME", "E:ID_MODEL"] {
    if let raw = Assignments.rawValue(of: key, in: bytes) { _ = Assignments.unquoted(raw) }
  }
}

private func readNumbers(_ bytes: ArraySlice<UInt8>) {
  let integer = NumberText.integer(bytes)
  if let integer {
    require(NumberText.integer(Array("\(integer)".utf8)[...]) == integer, "numbers print as read")
  }
  _ = NumberText.decimal(bytes)
  if let list = ProcessorList(bytes) { _ = list.contains(3) }
  let halves = bytes.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
  if let first = halves.first.flatMap(ProcessorTimes.init),
    let second = halves.last.flatMap(ProcessorTimes.init)
  {
    _ = ProcessorTimes.share(of: .user, from: first.counters, to: second.counters)
  }
  _ = ProcessorTimes.line(Array("cpu".utf8), in: bytes)
}
