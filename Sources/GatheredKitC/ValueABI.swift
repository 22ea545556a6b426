public import CGatheredKit
import Gathering
import Glibc
import Ground
import Values

/// Copies a value deeply.
@_cdecl("gkit_value_copy") @implementation public func gkit_value_copy(
  _ src: UnsafePointer<gkit_value>?, _ out: UnsafeMutablePointer<gkit_value>?
) -> gkit_status {
  entry {
    let out = try place(out)
    let value = try value(src, "src")
    try value.checkExtent()
    out.pointee = try gkit_value(owned: value)
  }
}

/// Frees what a value owns.
@_cdecl("gkit_value_clear") @implementation public func gkit_value_clear(
  _ value: UnsafeMutablePointer<gkit_value>?
) {
  guard let value else { return }
  switch ValueType(rawValue: value.pointee.type) {
  case .string: free(UnsafeMutablePointer(mutating: value.pointee.as.string))
  case .bytes: free(UnsafeMutableRawPointer(mutating: value.pointee.as.bytes))
  case .dictionary, .list: gkit_release(value.pointee.as.dict.map(UnsafeMutableRawPointer.init))
  default: break
  }
  value.pointee = gkit_value()
}

/// Writes a value exactly.
@_cdecl("gkit_value_format") @implementation public func gkit_value_format(
  _ value: UnsafePointer<gkit_value>?, _ unit: UnsafePointer<CChar>?,
  _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> Int {
  writing(to: buffer, capacity) {
    let value = try GatheredKitC.value(value, "value")
    try Extent(of: value).checkText()
    return value.formatted(unit: try unit.map { try text($0, "unit") })
  }
}

/// Reads JSON.
@_cdecl("gkit_value_from_json") @implementation public func gkit_value_from_json(
  _ text: UnsafePointer<CChar>?, _ length: Int, _ out: UnsafeMutablePointer<gkit_value>?
) -> gkit_status {
  entry {
    let out = try place(out)
    guard let text else { throw Failure.null("text") }
    guard length >= 0 else { throw Failure(Status.invalidArgument, "length is out of range") }
    let bytes = UnsafeRawBufferPointer(start: text, count: length)
    try checkReading(bytes)
    out.pointee = try gkit_value(owned: try Value(json: bytes))
  }
}

/// Fails with LIMIT or NO_MEMORY when what JSON says is too much to be read.
func checkReading(_ json: UnsafeRawBufferPointer) throws {
  // A copy, the bytes of a text as they grow by doubling, the text, and the copy of the host.
  try checkRoom(for: json.count, times: 6)
  if json.count < Room.small / 256 { return }
  var (isText, isEscaped) = (false, false)
  var (values, names) = (1, 0)
  for byte in json {
    switch byte {
    case _ where isEscaped: isEscaped = false
    case UInt8(ascii: "\\") where isText: isEscaped = true
    case UInt8(ascii: "\""): isText.toggle()
    case _ where isText: break
    case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"): values += 1
    case UInt8(ascii: ":"): names += 1
    default: break
    }
  }
  if values > Extent.sizeLimit {
    throw Failure(Status.limit, "the text has more than \(Extent.sizeLimit) values")
  }
  // Lists grow by doubling, and a dictionary has names and an index of them beside its values.
  let need = 6 * json.count + values * 3 * MemoryLayout<Value>.stride + names * 256
  if !Room.has(need) { throw Failure.noMemory }
}

/// Writes JSON.
@_cdecl("gkit_value_to_json") @implementation public func gkit_value_to_json(
  _ value: UnsafePointer<gkit_value>?
) -> UnsafeMutablePointer<CChar>? {
  answering { try heapText(json(of: value, "value")) }
}
