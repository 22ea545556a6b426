import CGatheredKit
import Gathering
import Values

/// A deep copy of a value of the host; everything in it is checked.
///
/// What claims to be a value and is not (an unknown type, a vector of one or five) is TYPE.
func value(_ pointer: UnsafePointer<gkit_value>?, _ parameter: String) throws -> Value {
  guard let pointer else { throw Failure.null(parameter) }
  let value = pointer.pointee
  guard let type = ValueType(rawValue: value.type) else {
    throw Failure(Status.type, "\(parameter) is not a value: there is no type \(value.type)")
  }
  switch type {
  case .none: return .none
  // A host's byte may be neither 0 nor 1, which a Swift Bool must not be.
  case .bool: return .bool(withUnsafeBytes(of: value.as) { $0[0] != 0 })
  case .int: return .int(value.as.integer)
  case .time: return .time(value.as.integer)
  case .double: return .double(value.as.number)
  case .vector: return .vector(try vector(value, parameter))
  case .string: return .string(try string(value, parameter))
  case .bytes: return .bytes(try bytes(value, parameter))
  case .dictionary, .list: return try container(value, type, parameter).value
  }
}

/// A value of the host as JSON text; what is wrong with it is told as by `value`.
func json(of pointer: UnsafePointer<gkit_value>?, _ parameter: String) throws -> String {
  if let value = pointer?.pointee, let type = ValueType(rawValue: value.type),
    type == .dictionary || type == .list
  {
    return try container(value, type, parameter).json()
  }
  return try value(pointer, parameter).checkedJSON()
}

/// The same as a sample without times; NULL is no payload.
@inline(__always)
func sample(_ pointer: UnsafePointer<gkit_value>?, _ parameter: String) throws -> Sample {
  guard let pointer else { return Sample(.none) }
  return try Sample(number: pointer.pointee) ?? Sample(value(pointer, parameter))
}

private func vector(_ value: gkit_value, _ parameter: String) throws -> Vector {
  let all = [value.as.vector.0, value.as.vector.1, value.as.vector.2, value.as.vector.3]
  guard value.count <= 4, let vector = Vector(all.prefix(Int(value.count))) else {
    throw Failure(Status.type, "\(parameter) is not a value: vectors have 2 to 4 components")
  }
  return vector
}

private func string(_ value: gkit_value, _ parameter: String) throws -> String {
  guard let start = value.as.string else { throw Failure.null("the text of \(parameter)") }
  let bytes = UnsafeRawBufferPointer(start: start, count: Int(value.count))
  try checkRoom(for: bytes.count, times: 2)
  guard let text = String(validating: bytes, as: UTF8.self) else {
    throw Failure(Status.invalidArgument, "the text of \(parameter) is not UTF-8")
  }
  return text
}

private func bytes(_ value: gkit_value, _ parameter: String) throws -> [UInt8] {
  guard value.count > 0 else { return [] }
  guard let start = value.as.bytes else { throw Failure.null("the bytes of \(parameter)") }
  try checkRoom(for: Int(value.count), times: 2)
  return Array(UnsafeRawBufferPointer(start: start, count: Int(value.count)))
}

private func container(
  _ value: gkit_value, _ type: ValueType, _ parameter: String
) throws -> DictObject {
  let content = try object(value.as.dict, as: DictObject.self, "the handle of \(parameter)")
  guard content.valueType == type else {
    throw Failure(
      Status.type,
      "\(parameter) is not a value: it says \(type == .list ? "list" : "dict"), "
        + "its handle is a \(content.value.typeWord)")
  }
  return content
}
