@testable import Machine

/// What a broker sends, before libmosquitto reads it: the first byte tells the version of MQTT and
/// into how many bytes at once the rest is cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Input(data, count).bytes
  guard let first = bytes.first else { return 0 }
  let version: BrokerVersion = first & 1 == 0 ? .v5 : .v311
  let sent = Array(bytes.dropFirst())
  let whole = check(sent, version, every: sent.count)
  require(whole.fault != nil || whole.count == sent.count, "what has no fault passes")
  let cut = check(sent, version, every: 1 + Int(first >> 1))
  require(cut.count == whole.count && cut.fault == whole.fault, "how it comes does not matter")
  if version == .v5 { readPackets(in: sent[..<whole.count]) }
  return 0
}

private func check(
  _ bytes: [UInt8], _ version: BrokerVersion, every step: Int
) -> (count: Int, fault: BrokerGuard.Fault?) {
  var guardian = BrokerGuard(version)
  var passed = 0
  for start in stride(from: 0, to: bytes.count, by: max(1, step)) {
    let part = Array(bytes[start...].prefix(step))
    let (count, fault) = part.withUnsafeBytes { guardian.check($0) }
    require(count <= part.count, "no more passes than came")
    passed += count
    if let fault { return (passed, fault) }
  }
  return (passed, nil)
}

/// Reads the whole packets of what has passed as MQTT 5 lays them out.
private func readPackets(in passed: ArraySlice<UInt8>) {
  var rest = passed
  while let kind = rest.popFirst(), let length = number(from: &rest), length <= rest.count {
    readPacket(kind, rest.prefix(length))
    rest = rest.dropFirst(length)
  }
}

private func readPacket(_ kind: UInt8, _ body: ArraySlice<UInt8>) {
  var body = body
  switch kind >> 4 {
  case 2, 9, 11: body = body.dropFirst(2)
  case 3:
    guard let size = short(from: &body) else { return }
    body = body.dropFirst(kind & 6 != 0 ? size + 2 : size)
  case 4...7: body = body.dropFirst(3)
  case 14, 15: body = body.dropFirst(1)
  default: return
  }
  guard let length = number(from: &body) else { return }
  require(length <= body.count, "a list ends in its packet")
  var list = body.prefix(length)
  while let identifier = list.popFirst() {
    require(skipValue(of: identifier, in: &list), "a list has known properties, each whole")
  }
}

/// Skips the value of a property; false if there is no such property, or no such value.
private func skipValue(of identifier: UInt8, in list: inout ArraySlice<UInt8>) -> Bool {
  var size = 0
  switch identifier {
  case 1, 23, 25, 36, 37, 40, 41, 42: size = 1
  case 19, 33, 34, 35: size = 2
  case 2, 17, 24, 39: size = 4
  case 11: return number(from: &list) != nil
  case 3, 8, 9, 18, 21, 22, 26, 28, 31, 38:
    for _ in 0..<(identifier == 38 ? 2 : 1) {
      guard let length = short(from: &list), length <= list.count else { return false }
      list = list.dropFirst(length)
    }
  default: return false
  }
  guard size <= list.count else { return false }
  list = list.dropFirst(size)
  return true
}

/// A number of one to four digits of seven bits; nil where it has no end.
private func number(from bytes: inout ArraySlice<UInt8>) -> Int? {
  var value = 0
  for shift in [0, 7, 14, 21] {
    guard let byte = bytes.popFirst() else { return nil }
    value |= Int(byte & 0x7F) << shift
    if byte < 0x80 { return value }
  }
  return nil
}

private func short(from bytes: inout ArraySlice<UInt8>) -> Int? {
  guard let high = bytes.popFirst(), let low = bytes.popFirst() else { return nil }
  return Int(high) << 8 | Int(low)
}
