public import CGatheredKit
import Gathering
import Values

/// Starts updating, or restarts the schedule.
@_cdecl("gkit_source_start") @implementation public func gkit_source_start(
  _ source: OpaquePointer?, _ interval_ns: Int64
) -> gkit_status {
  entry {
    let source = try openSource(source).source
    guard interval_ns >= 0 else {
      throw Failure(Status.invalidArgument, "interval_ns is negative; 0 means the default")
    }
    try source.startUpdating(every: interval_ns == 0 ? nil : interval_ns)
  }
}

/// Stops updating.
@_cdecl("gkit_source_stop") @implementation public func gkit_source_stop(
  _ source: OpaquePointer?
) -> gkit_status {
  entry { try openSource(source).source.stopUpdating() }
}

/// Whether a source is updating, and the interval asked for.
@_cdecl("gkit_source_is_updating") @implementation public func gkit_source_is_updating(
  _ source: OpaquePointer?, _ out_interval_ns: UnsafeMutablePointer<Int64>?
) -> Bool {
  out_interval_ns?.pointee = 0
  guard let source = (try? object(source, as: SourceObject.self, "source"))?.source,
    !source.context.isClosed, let interval = source.updateInterval
  else { return false }
  out_interval_ns?.pointee = interval
  return true
}

/// Takes one reading now.
@_cdecl("gkit_source_update_values") @implementation public func gkit_source_update_values(
  _ source: OpaquePointer?, _ timeout_ns: Int64
) -> gkit_status {
  entry { try takeReading(of: openSource(source), timeout_ns) }
}

/// The index of a property by its key.
@_cdecl("gkit_source_find_property") @implementation public func gkit_source_find_property(
  _ source: OpaquePointer?, _ key: UnsafePointer<CChar>?
) -> Int32 {
  counting {
    let source = try openSource(source).source
    let key = try text(key, "key")
    guard let index = source.properties.firstIndex(where: { $0.key.isSpelt(key) }) else {
      throw Failure(
        Status.notFound,
        Nearest.sentence(to: key, among: source.properties.map(\.key), what: "property"))
    }
    return Int32(truncatingIfNeeded: index)
  }
}

/// The last known value of one property.
@_cdecl("gkit_source_get_value") @implementation public func gkit_source_get_value(
  _ source: OpaquePointer?, _ property: UInt32, _ out: UnsafeMutablePointer<gkit_sample>?
) -> gkit_status {
  if let out, withSource(source, { $0.copyShownRow(Int(property), to: out) }) == true {
    return Status.ok
  }
  return entry {
    let object = try openSource(source)
    guard let out else { throw Failure.null("out") }
    let block = try object.shownBlock()
    let index = try checked(property, below: block.count)
    object.lent.keepForValue(block)
    out.pointee = block.rows[index]
  }
}

/// The last known values of all properties.
@_cdecl("gkit_source_get_values") @implementation public func gkit_source_get_values(
  _ source: OpaquePointer?, _ out: UnsafeMutablePointer<gkit_sample>?, _ capacity: Int
) -> Int64 {
  if let out, capacity > 0 {
    let room = UnsafeMutableBufferPointer(start: out, count: capacity)
    if let count = withSource(source, { $0.copyShownRows(to: room) }) { return Int64(count) }
  }
  return counting {
    let object = try openSource(source)
    let (block, room) = (try object.shownBlock(), try roomForSamples(out, capacity))
    object.lent.keepForValues(block)
    return copy(block, to: room)
  }
}

/// Takes one reading now, and copies the values of all properties.
@_cdecl("gkit_source_read_values") @implementation public func gkit_source_read_values(
  _ source: OpaquePointer?, _ timeout_ns: Int64, _ out: UnsafeMutablePointer<gkit_sample>?,
  _ capacity: Int
) -> Int64 {
  counting {
    let object = try openSource(source)
    let room = try roomForSamples(out, capacity)
    try takeReading(of: object, timeout_ns)
    let block = try object.shownBlock()
    object.lent.keepForReading(block)
    return copy(block, to: room)
  }
}

/// Why a value is what it is, and its raw form.
@_cdecl("gkit_source_explain") @implementation public func gkit_source_explain(
  _ source: OpaquePointer?, _ property: UInt32, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let source = try openSource(source).source
    let index = try checked(property, below: source.properties.count)
    try out.give(DictObject(.dictionary(source.explanation(ofPropertyAt: index))))
  }
}

/// Sets a property for this session, or on the device.
@_cdecl("gkit_source_set_value") @implementation public func gkit_source_set_value(
  _ source: OpaquePointer?, _ property: UInt32, _ value: UnsafePointer<gkit_value>?
) -> gkit_status {
  entry {
    let source = try openSource(source).source
    guard let value else { throw Failure.null("value") }
    let index = try checked(property, below: source.properties.count)
    try source.set(try GatheredKitC.value(value, "value"), ofPropertyAt: index)
  }
}

/// Calls with the session of a living handle, which is neither counted nor given back meanwhile
/// (`HandleTable.Held`); nil without such a handle.
@inline(__always)
private func withSource<Answer>(_ handle: OpaquePointer?, _ body: (Source) -> Answer?) -> Answer? {
  guard let bits = handle.map({ HandleBits($0) }), bits.type == HandleType.source.rawValue,
    let held = Handles.current.hold(bits)
  else { return nil }
  defer { held.giveBack() }
  return held.object._withUnsafeGuaranteedRef { object in
    // Each type of handle is one final class.
    unsafeDowncast(object, to: SourceObject.self).unowned._withUnsafeGuaranteedRef(body)
  }
}

/// Takes one reading within a time, which is without a limit where it is negative.
private func takeReading(of object: SourceObject, _ timeout_ns: Int64) throws {
  try object.source.updateValuesInPlace(within: timeout_ns < 0 ? Int64.max : timeout_ns)
}

/// Room for samples, which is none where the capacity is 0.
private func roomForSamples(
  _ out: UnsafeMutablePointer<gkit_sample>?, _ capacity: Int
) throws -> UnsafeMutableBufferPointer<gkit_sample> {
  guard capacity > 0 else { return UnsafeMutableBufferPointer(start: nil, count: 0) }
  guard let out else { throw Failure.null("out") }
  return UnsafeMutableBufferPointer(start: out, count: capacity)
}

extension SourceObject {
  /// The rows last delivered or read.
  fileprivate func shownBlock() throws -> Block {
    guard let block = source.shownBlock else { throw Failure(SourceError.closed) }
    return block
  }
}

/// Copies as many values as there is room for, and tells how many there are.
private func copy(
  _ block: Block, to room: UnsafeMutableBufferPointer<gkit_sample>
) -> Int64 {
  room.baseAddress?.update(from: block.rows, count: min(block.count, room.count))
  return Int64(block.count)
}

/// A property index that exists.
func checked(_ index: UInt32, below count: Int) throws -> Int {
  guard Int(index) < count else {
    throw Failure(Status.invalidArgument, "there is no property \(index); there are \(count)")
  }
  return Int(index)
}
