public import CGatheredKit
import DataSources
import Gathering
import Values

/// Makes a future that the host resolves.
@_cdecl("gkit_future_new") @implementation public func gkit_future_new(
  _ context: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let future = FutureObject(of: try openContext(context), .host)
    future.begin()
    try out.give(future)
  }
}

/// Gives a future its result.
@_cdecl("gkit_future_resolve") @implementation public func gkit_future_resolve(
  _ future: OpaquePointer?, _ status: gkit_status, _ value: UnsafePointer<gkit_value>?,
  _ message: UnsafePointer<CChar>?
) -> gkit_status {
  entry {
    let future = try openFuture(future)
    let value = try value.map { try GatheredKitC.value($0, "value") } ?? .none
    try value.checkExtent()
    try future.resolve(status, value, try message.map { try text($0, "message") })
  }
}

/// Waits for the result.
@_cdecl("gkit_future_wait") @implementation public func gkit_future_wait(
  _ future: OpaquePointer?, _ timeout_ns: Int64, _ out: UnsafeMutablePointer<gkit_value>?
) -> gkit_status {
  entry {
    let future = try openFuture(future)
    if let out, let value = future.plainAnswer {
      out.pointee = value
      return
    }
    let payload = try future.wait(timeout_ns)
    if let out { out.pointee = try future.lent(payload) }
  }
}

/// Adds a consumer.
@_cdecl("gkit_future_then") @implementation public func gkit_future_then(
  _ future: OpaquePointer?, _ fn: gkit_future_fn?, _ user_data: UnsafeMutableRawPointer?,
  _ destroy: gkit_destroy_fn?
) -> gkit_status {
  let userData = UserData(user_data, destroy)
  return entry {
    guard let fn else { throw Failure.null("fn") }
    let future = try openFuture(future)
    if future.owner.context.isClosed { throw Failure(SourceError.closed) }
    future.then { handle in
      fn(handle, userData.pointer)
      userData.end()
    }
  }
}

/// What became of it.
@_cdecl("gkit_future_get_error") @implementation public func gkit_future_get_error(
  _ future: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    switch try openFuture(future).outcome {
    case nil: throw Failure(gkit_status(GKIT_ERROR_NO_DATA), "the future has no result yet")
    case .success?: try out.give(DictObject(.dictionary(DataSourceError.none)))
    case .failure(let error)?: try out.give(DictObject(.dictionary(error.dictionary)))
    }
  }
}

/// Calls a pending future off.
@_cdecl("gkit_future_cancel") @implementation public func gkit_future_cancel(
  _ future: OpaquePointer?
) {
  guard let future else { return }
  _ = entry { try openFuture(future).cancel() }
}
