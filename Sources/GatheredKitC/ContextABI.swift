public import CGatheredKit
import Fleet
import Gathering
import Ground
import Recording
import SourceKinds
import Values

/// Opens a machine by its URI.
@_cdecl("gkit_context_open") @implementation public func gkit_context_open(
  _ uri: UnsafePointer<CChar>?, _ options: UnsafePointer<gkit_context_options>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let uri = try uri.map { try text($0, "uri") } ?? "local:"
    let options = try options.map(ContextOptions.init) ?? ContextOptions()
    let recording = Monitor<RecordingParts?>(nil)
    let context = try Context.open(
      uri, allow: options.allow, mode: options.mode, catalogue: SourceCatalogue.all,
      recordings: { (path) throws(SourceError) in
        let replay = try Replay(path)
        recording.withLock { $0 = replay.recording }
        return replay
      }, fleets: FleetContext.open)
    try out.give(ContextObject(context, playing: recording.withLock { $0 }))
  }
}

/// The options of a context, checked.
private struct ContextOptions {
  var mode = Context.Mode.thread
  var allow = Allowance.none

  init() {}

  init(_ options: UnsafePointer<gkit_context_options>) throws {
    let size = options.withMemoryRebound(to: Int.self, capacity: 1) { $0.pointee }
    guard size >= MemoryLayout<gkit_context_options>.size else {
      throw Failure(Status.invalidArgument, "options.struct_size is too small: use the _INIT macro")
    }
    switch Int(options.pointee.mode) {
    case GKIT_MODE_THREAD: mode = .thread
    case GKIT_MODE_HOST: mode = .host
    default: throw Failure(Status.invalidArgument, "options.mode is neither THREAD nor HOST")
    }
    guard options.pointee.flags == 0 else {
      throw Failure(Status.invalidArgument, "options.flags must be 0")
    }
    if let allow = options.pointee.allow {
      self.allow = try Allowance(parsing: try text(allow, "options.allow"))
    }
  }
}

/// Stops all sources, ends all registrations and wakes who waits in a reader.
@_cdecl("gkit_context_close") @implementation public func gkit_context_close(
  _ context: OpaquePointer?
) -> gkit_status {
  entry {
    try object(context, as: ContextObject.self, "context").close()
  }
}

/// The descriptor that is readable while callbacks wait: host mode only.
@_cdecl("gkit_context_fd") @implementation public func gkit_context_fd(
  _ context: OpaquePointer?
) -> Int32 {
  counting {
    let descriptor = try openContext(context).context.descriptor
    guard descriptor >= 0 else {
      throw Failure(Status.notSupported, "a context in THREAD mode has no descriptor")
    }
    return descriptor
  }
}

/// Runs callbacks on the calling thread: host mode only.
@_cdecl("gkit_context_dispatch") @implementation public func gkit_context_dispatch(
  _ context: OpaquePointer?, _ timeout_ns: Int64
) -> Int32 {
  counting { Int32(clamping: try openContext(context).context.dispatch(timeout: timeout_ns)) }
}

/// Returns when all handed over before it has been delivered.
@_cdecl("gkit_context_flush") @implementation public func gkit_context_flush(
  _ context: OpaquePointer?, _ timeout_ns: Int64
) -> gkit_status {
  entry { try openContext(context).context.flush(timeout: timeout_ns) }
}

/// Runs a function of the host where callbacks run.
@_cdecl("gkit_context_invoke") @implementation public func gkit_context_invoke(
  _ context: OpaquePointer?, _ fn: gkit_invoke_fn?, _ user_data: UnsafeMutableRawPointer?,
  _ destroy: gkit_destroy_fn?
) -> gkit_status {
  let userData = UserData(user_data, destroy)
  return entry {
    guard let fn else { throw Failure.null("fn") }
    try openContext(context).context.invoke(onEnd: { userData.end() }) { fn(userData.pointer) }
  }
}

/// The present instant on the clock samples carry.
@_cdecl("gkit_context_now") @implementation public func gkit_context_now(
  _ context: OpaquePointer?, _ out_time_ns: UnsafeMutablePointer<Int64>?,
  _ out_boot_ns: UnsafeMutablePointer<Int64>?
) -> gkit_status {
  entry {
    let now = try openContext(context).context.now
    out_time_ns?.pointee = now.realtime
    out_boot_ns?.pointee = now.boot
  }
}

/// Whether the calling thread runs a callback of the context.
@_cdecl("gkit_context_is_current") @implementation public func gkit_context_is_current(
  _ context: OpaquePointer?
) -> Bool {
  (try? object(context, as: ContextObject.self, "context"))?.context.isCurrent ?? false
}

/// Widens or narrows what may be shown.
@_cdecl("gkit_context_set_allow") @implementation public func gkit_context_set_allow(
  _ context: OpaquePointer?, _ allow: UnsafePointer<CChar>?
) -> gkit_status {
  entry {
    let context = try openContext(context)
    try context.context.setAllow(Allowance(parsing: try text(allow, "allow")))
  }
}

/// Looks at all instances again.
@_cdecl("gkit_context_rescan") @implementation public func gkit_context_rescan(
  _ context: OpaquePointer?
) -> gkit_status {
  entry { try openContext(context).context.rescan() }
}

/// The doctor: every kind, instance, reason, remedy and mechanism.
@_cdecl("gkit_context_report") @implementation public func gkit_context_report(
  _ context: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    try out.give(DictObject(.dictionary(try openContext(context).context.report())))
  }
}

/// Sets how fast a replay runs.
@_cdecl("gkit_context_set_rate") @implementation public func gkit_context_set_rate(
  _ replay: OpaquePointer?, _ rate: Double
) -> gkit_status {
  entry { try openContext(replay).context.setRate(rate) }
}

/// Moves the manual clock and delivers everything due on the way.
@_cdecl("gkit_context_seek") @implementation public func gkit_context_seek(
  _ context: OpaquePointer?, _ offset_ns: Int64
) -> gkit_status {
  entry { try openContext(context).context.seek(to: offset_ns) }
}

/// Where the manual clock stands.
@_cdecl("gkit_context_position") @implementation public func gkit_context_position(
  _ context: OpaquePointer?, _ out_duration_ns: UnsafeMutablePointer<Int64>?
) -> Int64 {
  counting {
    let context = try openContext(context).context
    guard let position = context.position else {
      throw Failure(Status.notSupported, "the clock of this context runs by itself")
    }
    out_duration_ns?.pointee = context.duration ?? 0
    return position
  }
}
