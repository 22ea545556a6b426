public import CGatheredKit
import Gathering
import Ground

/// Makes a bounded queue of samples.
@_cdecl("gkit_reader_new") @implementation public func gkit_reader_new(
  _ context: OpaquePointer?, _ options: UnsafePointer<gkit_reader_options>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let context = try openContext(context)
    var capacity = Reader.defaultCapacity
    var overflow = Reader.Overflow.dropOldest
    if let options {
      let size = UnsafeRawPointer(options).load(as: Int.self)
      guard size >= MemoryLayout<gkit_reader_options>.size else {
        throw Failure(
          Status.invalidArgument, "options.struct_size is too small: use the _INIT macro")
      }
      // A size beyond half of memory arrives as a negative number.
      guard (0...Reader.capacityLimit).contains(options.pointee.capacity) else {
        throw Failure(Status.limit, "options.capacity is more than \(Reader.capacityLimit)")
      }
      if options.pointee.capacity > 0 { capacity = options.pointee.capacity }
      switch Int(options.pointee.overflow) {
      case GKIT_OVERFLOW_DROP_OLDEST: overflow = .dropOldest
      case GKIT_OVERFLOW_DROP_NEWEST: overflow = .dropNewest
      case GKIT_OVERFLOW_BLOCK: overflow = .block
      default: throw Failure(Status.invalidArgument, "options.overflow is unknown")
      }
    }
    let reader = try Reader(in: context.context, capacity: capacity, overflow: overflow)
    try out.give(ReaderObject(reader, of: context))
  }
}

/// Adds a source to a reader.
@_cdecl("gkit_reader_add") @implementation public func gkit_reader_add(
  _ reader: OpaquePointer?, _ source: OpaquePointer?
) -> gkit_status {
  entry {
    let reader = try openReader(reader)
    let source = try openSource(source)
    guard try reader.add(source) else {
      throw Failure(Status.exists, "the source is in the reader already")
    }
  }
}

/// The descriptor that is readable while samples are queued.
@_cdecl("gkit_reader_fd") @implementation public func gkit_reader_fd(
  _ reader: OpaquePointer?
) -> Int32 {
  counting { try openReader(reader).reader.descriptor }
}

/// Takes samples, oldest first.
@_cdecl("gkit_reader_read") @implementation public func gkit_reader_read(
  _ reader: OpaquePointer?, _ out: UnsafeMutablePointer<gkit_sample>?, _ capacity: Int,
  _ timeout_ns: Int64
) -> Int64 {
  counting {
    let reader = try openReader(reader)
    guard let out else { throw Failure.null("out") }
    guard capacity > 0 else { throw Failure(Status.invalidArgument, "capacity is 0") }
    return Int64(try reader.read(into: out, capacity: capacity, timeout: limit(timeout_ns)))
  }
}

/// How many samples are queued, were handed out and were lost.
@_cdecl("gkit_reader_get_stats") @implementation public func gkit_reader_get_stats(
  _ reader: OpaquePointer?, _ out: UnsafeMutablePointer<gkit_reader_stats>?
) -> gkit_status {
  entry {
    let reader = try openReader(reader)
    var stats = gkit_reader_stats()
    let statistics = reader.reader.statistics
    stats.queued = UInt64(statistics.queued)
    stats.delivered = statistics.delivered
    stats.dropped = statistics.dropped
    try fill(out, with: stats)
  }
}

/// Takes all readings queued of one source as columns.
@_cdecl("gkit_reader_next_frame") @implementation public func gkit_reader_next_frame(
  _ reader: OpaquePointer?, _ source: OpaquePointer?, _ timeout_ns: Int64,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let reader = try openReader(reader)
    let wanted = try source.map { try openSource($0) }
    // A frame, its samples and its columns; nothing is taken where there is no room for them.
    if !Room.has(reader.reader.statistics.queued * 256) { throw Failure.noMemory }
    let frame = try reader.reader.nextFrame(of: wanted?.source, within: limit(timeout_ns))
    guard let frame else { throw Failure(Status.timeout, "no reading came in time") }
    try out.give(FrameObject(frame, of: reader.origin(of: frame)))
  }
}

/// A time to wait, which a negative number leaves open.
private func limit(_ timeout: Int64) -> Int64? { timeout < 0 ? nil : timeout }

/// A reader whose context is open.
private func openReader(_ handle: OpaquePointer?) throws -> ReaderObject {
  let reader = try object(handle, as: ReaderObject.self, "reader")
  if reader.owner.context.isClosed { throw Failure(SourceError.closed) }
  return reader
}
