public import CGatheredKit
import Gathering
import Glibc
import Values

/// Writes a value of a property in a style.
@_cdecl("gkit_property_format") @implementation public func gkit_property_format(
  _ property: UnsafePointer<gkit_property_info>?, _ value: UnsafePointer<gkit_value>?,
  _ style: UInt32, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> Int {
  writing(to: buffer, capacity) {
    let value = try GatheredKitC.value(value, "value")
    guard let style = ValueStyle(rawValue: style) else {
      throw Failure(Status.invalidArgument, "there is no style \(style)")
    }
    let property = try property.map(Property.init(host:))
    try Extent(of: value).checkText()
    return property?.format(value, style) ?? value.format(style)
  }
}

/// Writes a text to a buffer of the host as snprintf does; answers its whole length, or 0 where
/// there is none.
func writing(
  to buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int, _ text: () throws -> String
) -> Int {
  if capacity != 0 { buffer?.pointee = 0 }
  var length = 0
  _ = entry {
    if buffer == nil, capacity != 0 { throw Failure.null("buffer") }
    var text = try text()
    text.withUTF8 { whole in
      // A size beyond half of memory arrives as a negative number: everything fits.
      write(whole, to: buffer, capacity < 0 ? .max : capacity)
      length = whole.count
    }
  }
  return length
}

/// What fits of a text, cut at a whole character, and a NUL behind it.
private func write(
  _ text: UnsafeBufferPointer<UInt8>, to buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int
) {
  guard let buffer, capacity > 0 else { return }
  var length = min(text.count, capacity - 1)
  while length < text.count, length > 0, text[length] & 0xC0 == 0x80 { length -= 1 }
  if let start = text.baseAddress { memcpy(buffer, start, length) }
  buffer[length] = 0
}

extension Property {
  /// What a host says of a property, as far as texts depend on it.
  fileprivate init(host pointer: UnsafePointer<gkit_property_info>) throws {
    // Only the size may be read before it is known.
    let size = UnsafeRawPointer(pointer).load(as: Int.self)
    guard size >= MemoryLayout<gkit_property_info>.size else {
      throw Failure(
        Status.invalidArgument, "property.struct_size is too small: use the _INIT macro")
    }
    let info = pointer.pointee
    self.init(
      try info.key.map { try text($0, "property.key") } ?? "", PropertyType(hostType: info.type),
      unit: try info.unit.map { try text($0, "property.unit") }, .continuous,
      PropertyFlags(rawValue: info.flags),
      range: info.minimum < info.maximum ? info.minimum...info.maximum : nil,
      resolution: info.resolution)
  }
}

extension PropertyType {
  /// The type behind a number, as far as texts depend on it; an unknown one may be a double.
  fileprivate init(hostType type: UInt32) {
    switch ValueType(rawValue: type) {
    case .bool: self = .bool
    case .int: self = .int
    case .vector: self = .vector(components: [])
    case .string: self = .string
    case .bytes: self = .bytes
    case .time: self = .time
    default: self = .double
    }
  }
}
