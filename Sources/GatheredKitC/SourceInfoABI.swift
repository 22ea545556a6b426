public import CGatheredKit
import Gathering
import Glibc
import Values

/// Everything about a source at this moment.
@_cdecl("gkit_source_get_info") @implementation public func gkit_source_get_info(
  _ source: OpaquePointer?, _ out: UnsafeMutablePointer<gkit_source_info>?
) -> gkit_status {
  entry {
    let object = try openSource(source)
    let source = object.source
    let availability = source.availability
    let arena = object.scratch.arena(for: .info)
    var info = gkit_source_info()
    info.id = arena.text(source.id.description)
    info.kind = Interned.text(source.kind.kind)
    info.name = Interned.text(source.name)
    info.availability = availability.group.rawValue
    info.number = source.number
    info.property_count = UInt32(truncatingIfNeeded: source.properties.count)
    info.reason = availability.state.number
    info.reason_text = arena.text(availability.detail)
    info.remedy = arena.text(availability.remedy)
    info.min_interval_ns = source.minimumInterval
    info.default_interval_ns = DefaultIntervals.interval(of: source.kind)
    info.label = arena.text(source.label)
    info.backend = arena.text(availability.backend)
    info.state = source.state.rawValue
    info.sys_errno = availability.errno
    try fill(out, with: info)
  }
}

/// Describes a property.
@_cdecl("gkit_source_get_property_info") @implementation public func gkit_source_get_property_info(
  _ source: OpaquePointer?, _ property: UInt32, _ out: UnsafeMutablePointer<gkit_property_info>?
) -> gkit_status {
  entry {
    let source = try openSource(source).source
    let properties = source.properties
    let property = properties[try checked(property, below: properties.count)]
    var info = gkit_property_info()
    info.key = Interned.text(property.key)
    info.name = Interned.text(property.name)
    info.unit = property.unit.flatMap(Interned.text)
    info.components = property.type.components.flatMap(Interned.text)
    info.type = property.type.valueType.rawValue
    info.reporting_mode = property.mode.rawValue
    info.flags = property.flags.rawValue
    info.minimum = property.range?.lowerBound ?? -.infinity
    info.maximum = property.range?.upperBound ?? .infinity
    info.resolution = property.resolution ?? 0
    try fill(out, with: info)
  }
}

/// The three intervals of a session and what it missed.
@_cdecl("gkit_source_get_rates") @implementation public func gkit_source_get_rates(
  _ source: OpaquePointer?, _ out: UnsafeMutablePointer<gkit_rates>?
) -> gkit_status {
  entry {
    let object = try openSource(source)
    let found = object.source.rates
    var rates = gkit_rates()
    rates.asked_ns = found.asked ?? 0
    rates.granted_ns = found.granted ?? 0
    rates.measured_ns = found.measured ?? 0
    rates.skipped = found.skipped
    rates.dropped = found.dropped
    rates.reason =
      found.reason.isEmpty ? nil : object.scratch.arena(for: .rates).text(found.reason)
    try fill(out, with: rates)
  }
}

/// What is known of the instance beside its values.
@_cdecl("gkit_source_get_metadata") @implementation public func gkit_source_get_metadata(
  _ source: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    try out.give(DictObject(.dictionary(try openSource(source).source.metadata)))
  }
}

/// Fills a struct of the host up to the size it says it has; its size field is left alone.
func fill<Struct>(_ out: UnsafeMutablePointer<Struct>?, with value: Struct) throws {
  guard let out else { throw Failure.null("out") }
  let size = UnsafeRawPointer(out).load(as: Int.self)
  guard size >= 16 else {
    throw Failure(Status.invalidArgument, "struct_size is below 16: use the _INIT macro")
  }
  let head = MemoryLayout<Int>.size
  withUnsafeBytes(of: value) { bytes in
    guard let start = bytes.baseAddress else { return }
    memcpy(
      UnsafeMutableRawPointer(out) + head, start + head,
      min(size, MemoryLayout<Struct>.size) - head)
  }
}

extension Availability.State {
  /// The number of GKIT_REASON_*: the position in the specification's table.
  fileprivate var number: UInt32 {
    UInt32(truncatingIfNeeded: Self.allCases.firstIndex(of: self) ?? 0)
  }
}

extension PropertyType {
  fileprivate var valueType: ValueType {
    switch self {
    case .bool: .bool
    case .int: .int
    case .double: .double
    case .vector: .vector
    case .string, .enumeration: .string
    case .bytes: .bytes
    case .time: .time
    }
  }

  /// Component names of a vector, words of an enumeration, separated by commas.
  fileprivate var components: String? {
    switch self {
    case .vector(let names): names.joined(separator: ",")
    case .enumeration(let words): words.joined(separator: ",")
    default: nil
    }
  }
}
