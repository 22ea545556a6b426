public import CGatheredKit
import Gathering
import Values

/// Lists the instances there are.
@_cdecl("gkit_source_list") @implementation public func gkit_source_list(
  _ context: OpaquePointer?, _ kind: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let context = try openContext(context)
    let rows = try context.context.sources(of: try kind.map { try text($0, "kind") })
    try out.give(context.listed.object(listing: rows))
  }
}

/// Opens a new, private session.
@_cdecl("gkit_source_open") @implementation public func gkit_source_open(
  _ context: OpaquePointer?, _ id_or_kind: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let context = try openContext(context)
    let id: SourceIdentifier
    do {
      id = try SourceIdentifier(parsing: try bytes(id_or_kind, "id_or_kind"))
    } catch let error as ParseError {
      throw Failure(Status.parse, error.description)
    }
    try out.give(SourceObject(try context.context.open(id), of: context))
  }
}

/// Watches instances come and go.
@_cdecl("gkit_source_watch") @implementation public func gkit_source_watch(
  _ context: OpaquePointer?, _ kind: UnsafePointer<CChar>?, _ fn: gkit_event_fn?,
  _ user_data: UnsafeMutableRawPointer?, _ destroy: gkit_destroy_fn?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  let userData = UserData(user_data, destroy)
  return entry {
    let place = try out.map { try OutHandle($0) }
    guard let fn else { throw Failure.null("fn") }
    let context = try openContext(context)
    let kind = try kind.map { try text($0, "kind") }
    let token = try context.context.watch(kind, onEnd: { userData.end() }) { event in
      event.pass(to: fn, source: nil, userData)
    }
    try hand(token, to: place, orKeepIn: context.floating)
  }
}

/// Hands a registration to the host as a connection, or keeps it with its parent.
func hand(
  _ token: any Registration, to place: OutHandle?, orKeepIn parent: FloatingTokens
) throws {
  if let place {
    try place.give(ConnectionObject(token))
  } else {
    parent.keep(token)
  }
}

extension SourceEvent {
  /// Calls a function of the host with this event.
  func pass(to fn: gkit_event_fn, source: OpaquePointer?, _ userData: UserData) {
    let arena = Arena()
    let id = arena.text(id.description)
    guard let failure else { return fn(source, id, number, nil, userData.pointer) }
    var error = gkit_error(
      code: failure.status, sys_errno: failure.errno, message: arena.text(failure.message))
    fn(source, id, number, &error, userData.pointer)
    withExtendedLifetime(arena) {}
  }

  private var number: Int32 {
    switch what {
    case .added: Int32(GKIT_EVENT_ADDED)
    case .removed: Int32(GKIT_EVENT_REMOVED)
    case .started: Int32(GKIT_EVENT_STARTED)
    case .stopped: Int32(GKIT_EVENT_STOPPED)
    case .failedToStart: Int32(GKIT_EVENT_FAILED)
    case .availabilityChanged: Int32(GKIT_EVENT_AVAILABILITY_CHANGED)
    case .permissionRequested: Int32(GKIT_EVENT_PERMISSION_REQUESTED)
    case .lost: Int32(GKIT_EVENT_LOST)
    }
  }

  private var failure: Failure? {
    switch what {
    case .stopped(let error): error.map(Failure.init)
    case .failedToStart(let error), .lost(let error): Failure(error)
    default: nil
    }
  }
}
