public import CGatheredKit
import Glibc
import Values

/// No payload.
@_cdecl("gkit_value_set_none") @implementation public func gkit_value_set_none(
  _ out: UnsafeMutablePointer<gkit_value>?
) -> gkit_status {
  entry { try place(out).pointee = gkit_value() }
}

/// A boolean.
@_cdecl("gkit_value_set_bool") @implementation public func gkit_value_set_bool(
  _ out: UnsafeMutablePointer<gkit_value>?, _ boolean: Bool
) -> gkit_status {
  entry { try set(out, .bool) { $0.as.boolean = boolean } }
}

/// An integer.
@_cdecl("gkit_value_set_int") @implementation public func gkit_value_set_int(
  _ out: UnsafeMutablePointer<gkit_value>?, _ integer: Int64
) -> gkit_status {
  entry { try set(out, .int) { $0.as.integer = integer } }
}

/// A number.
@_cdecl("gkit_value_set_double") @implementation public func gkit_value_set_double(
  _ out: UnsafeMutablePointer<gkit_value>?, _ number: Double
) -> gkit_status {
  entry { try set(out, .double) { $0.as.number = number } }
}

/// A vector.
@_cdecl("gkit_value_set_vector") @implementation public func gkit_value_set_vector(
  _ out: UnsafeMutablePointer<gkit_value>?, _ components: UnsafePointer<Double>?, _ count: UInt32
) -> gkit_status {
  entry {
    guard let components else { throw Failure.null("components") }
    guard (2...4).contains(count) else {
      throw Failure(Status.invalidArgument, "vectors have 2 to 4 components, not \(count)")
    }
    try set(out, .vector, count: count) { value in
      let all = UnsafeBufferPointer(start: components, count: Int(count))
      withUnsafeMutableBytes(of: &value.as) { $0.copyMemory(from: UnsafeRawBufferPointer(all)) }
    }
  }
}

/// A text, which stays the host's.
@_cdecl("gkit_value_set_string") @implementation public func gkit_value_set_string(
  _ out: UnsafeMutablePointer<gkit_value>?, _ text: UnsafePointer<CChar>?
) -> gkit_status {
  guard let text else { return gkit_value_set_none(out) }
  return entry {
    let count = try borrowed(strlen(text), "text")
    try set(out, .string, count: count) { $0.as.string = text }
  }
}

/// Bytes, which stay the host's.
@_cdecl("gkit_value_set_bytes") @implementation public func gkit_value_set_bytes(
  _ out: UnsafeMutablePointer<gkit_value>?, _ bytes: UnsafeRawPointer?, _ length: UInt32
) -> gkit_status {
  entry {
    if bytes == nil, length > 0 { throw Failure.null("bytes") }
    let count = try borrowed(Int(length), "bytes")
    try set(out, .bytes, count: count) { $0.as.bytes = bytes }
  }
}

/// A moment.
@_cdecl("gkit_value_set_time") @implementation public func gkit_value_set_time(
  _ out: UnsafeMutablePointer<gkit_value>?, _ time_ns: Int64
) -> gkit_status {
  entry { try set(out, .time) { $0.as.integer = time_ns } }
}

/// A dictionary, which stays the host's.
@_cdecl("gkit_value_set_dict") @implementation public func gkit_value_set_dict(
  _ out: UnsafeMutablePointer<gkit_value>?, _ dict: OpaquePointer?
) -> gkit_status {
  entry { try set(out, .dictionary, dict, "dict") }
}

/// A list, which stays the host's.
@_cdecl("gkit_value_set_list") @implementation public func gkit_value_set_list(
  _ out: UnsafeMutablePointer<gkit_value>?, _ list: OpaquePointer?
) -> gkit_status {
  entry { try set(out, .list, list, "list") }
}

/// Writes a value whose payload the last argument fills in.
private func set(
  _ out: UnsafeMutablePointer<gkit_value>?, _ type: ValueType, count: UInt32 = 0,
  _ fill: (inout gkit_value) -> Void
) throws {
  let out = try place(out)
  var value = gkit_value()
  value.type = type.rawValue
  value.count = count
  fill(&value)
  out.pointee = value
}

/// Writes a value that holds a handle of the host.
private func set(
  _ out: UnsafeMutablePointer<gkit_value>?, _ type: ValueType, _ handle: OpaquePointer?,
  _ parameter: String
) throws {
  let found = try object(handle, as: DictObject.self, parameter).valueType
  guard found == type else {
    throw Failure(
      Status.type, "\(parameter) is \(found == .list ? "a list" : "a dictionary")")
  }
  try set(out, type) { $0.as.dict = handle }
}

/// The length of what a value borrows: a gibibyte at most (C API R20).
private func borrowed(_ length: Int, _ parameter: String) throws -> UInt32 {
  guard length <= 1 << 30 else {
    throw Failure(Status.limit, "\(parameter) has more than \(1 << 30) bytes")
  }
  return UInt32(length)
}
