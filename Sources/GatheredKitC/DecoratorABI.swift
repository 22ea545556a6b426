public import CGatheredKit
import DataSources
import Gathering
import Streams
import Values

/// Puts a decorator around a data source.
@_cdecl("gkit_datasource_wrap") @implementation public func gkit_datasource_wrap(
  _ datasource: OpaquePointer?, _ decorator: UnsafePointer<CChar>?, _ options: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let inner = try openDataSource(datasource)
    let name = try text(decorator, "decorator")
    guard name == "cache" || name == "log" else {
      throw Failure(
        Status.notFound, Nearest.sentence(to: name, among: ["cache", "log"], what: "decorator"))
    }
    var options = try Options(options, of: name)
    try out.give(name == "log" ? try logged(inner, &options) : try cached(inner, &options))
  }
}

private func cached(
  _ inner: DataSourceObject, _ options: inout Options
) throws -> DataSourceObject {
  let expiry = try options.duration("expiry_ns") ?? .seconds(300)
  let capacity = try options.count("capacity").map { Int($0) }
  let name = try options.text("name")
  try options.finish()
  let access = inner.access.cached(
    expiry: expiry, capacity: capacity, clock: inner.owner.loop.clock)
  return try DataSourceObject(
    access, "cache", of: inner.owner, keeping: [inner],
    named: try SinkName.claim(name, for: access, of: inner.owner))
}

private func logged(
  _ inner: DataSourceObject, _ options: inout Options
) throws -> DataSourceObject {
  var debug = DebugOptions()
  debug.delay = try options.duration("delay_ns") ?? .zero
  debug.failureShare = try options.share("failure_share") ?? 0
  debug.seed = try options.count("seed").map { UInt64($0) } ?? 0
  debug.logsValues = try options.flag("logs_values") ?? false
  let name = try options.text("name")
  try options.finish()
  let access = inner.access.logged(debug, clock: inner.owner.loop.clock) { line in
    HostLog.write(Int32(GKIT_LOG_INFO), "datasource") { line }
  }
  return try DataSourceObject(
    access, "log", of: inner.owner, needsLoop: debug.delay > .zero, keeping: [inner],
    named: try SinkName.claim(name, for: access, of: inner.owner))
}

/// Maps values by functions of the host.
@_cdecl("gkit_datasource_map") @implementation public func gkit_datasource_map(
  _ datasource: OpaquePointer?, _ to_outer: gkit_map_fn?, _ to_inner: gkit_map_fn?,
  _ user_data: UnsafeMutableRawPointer?, _ destroy: gkit_destroy_fn?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  let userData = UserData(user_data, destroy)
  return entry {
    let out = try OutHandle(out)
    guard let to_outer else { throw Failure.null("to_outer") }
    guard let to_inner else { throw Failure.null("to_inner") }
    let inner = try openDataSource(datasource)
    let loop = inner.owner.loop
    let host = HostFunctions(inner.owner, userData)
    let access = inner.access.replying(on: loop)
      .mapped(to: host.map(to_outer), from: host.map(to_inner)).calling(
        on: loop, until: { loop.isEnding })
    try out.give(
      DataSourceObject(access, "map", of: inner.owner, needsLoop: true, keeping: [inner]))
  }
}

/// Checks values by a function of the host.
@_cdecl("gkit_datasource_validate") @implementation public func gkit_datasource_validate(
  _ datasource: OpaquePointer?, _ options: OpaquePointer?, _ check: gkit_map_fn?,
  _ user_data: UnsafeMutableRawPointer?, _ destroy: gkit_destroy_fn?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  let userData = UserData(user_data, destroy)
  return entry {
    let out = try OutHandle(out)
    guard let check else { throw Failure.null("check") }
    let inner = try openDataSource(datasource)
    var options = try Options(options, of: "validate")
    let emptyListIsValid = try options.flag("empty_list_is_valid") ?? true
    let checksPut = try options.flag("validate_put") ?? false
    let name = try options.text("name")
    try options.finish()
    let host = HostFunctions(inner.owner, userData)
    let loop = host.loop
    let validated = inner.access.replying(on: host.loop).validated(
      Check(emptyListIsValid: emptyListIsValid, host.check(check)), checksPut: checksPut)
    let access = checksPut ? validated.calling(on: loop, until: { loop.isEnding }) : validated
    try out.give(
      DataSourceObject(
        access, "validate", of: inner.owner, needsLoop: true, keeping: [inner],
        named: try SinkName.claim(name, for: access, of: inner.owner)))
  }
}

/// Tries failed calls again.
@_cdecl("gkit_datasource_retry") @implementation public func gkit_datasource_retry(
  _ datasource: OpaquePointer?, _ options: OpaquePointer?, _ fn: gkit_retry_fn?,
  _ user_data: UnsafeMutableRawPointer?, _ destroy: gkit_destroy_fn?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  let userData = UserData(user_data, destroy)
  return entry {
    let out = try OutHandle(out)
    let inner = try openDataSource(datasource)
    var options = try Options(options, of: "retry")
    let retries = try options.count("retries").map { Int($0) } ?? 1
    let backOff = try backOff(&options)
    let name = try options.text("name")
    try options.finish()
    let host = HostFunctions(inner.owner, userData)
    let asked = fn == nil ? inner.access : inner.access.replying(on: host.loop)
    let condition = fn.map { host.retry($0) }
    let access = try asked.retrying(
      retries, backOff: backOff, clock: host.loop.clock,
      if: { error, attempt in
        withExtendedLifetime(userData) { condition?(error, attempt) ?? true }
      })
    try out.give(
      DataSourceObject(
        access, "retry", of: inner.owner, needsLoop: fn != nil || backOff.delay > .zero,
        keeping: [inner], named: try SinkName.claim(name, for: access, of: inner.owner)))
  }
}

private func backOff(_ options: inout Options) throws -> BackOff {
  var backOff = BackOff.none
  backOff.delay = try options.duration("delay_ns") ?? .zero
  backOff.factor = try options.number("factor") ?? 1
  backOff.maxDelay = try options.duration("max_delay_ns")
  backOff.jitter = try options.share("jitter") ?? 0
  backOff.seed = try options.count("seed").map { UInt64($0) } ?? 0
  return backOff
}

/// Joins the verbs of several data sources.
@_cdecl("gkit_datasource_assemble") @implementation public func gkit_datasource_assemble(
  _ get: OpaquePointer?, _ put: OpaquePointer?, _ del: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let get = try openDataSource(get, "get", besides: nil)
    let put = try openDataSource(put, "put", besides: get)
    let delete = try openDataSource(del, "del", besides: get ?? put)
    let parts = [get, put, delete].compactMap { $0 }
    guard let owner = parts.first?.owner else {
      throw Failure(Status.invalidArgument, "get, put and del are all NULL")
    }
    let access = DataAccess.assembled(
      get: get?.access, put: put?.access, delete: delete?.access)
    try out.give(DataSourceObject(access, "assembly", of: owner, keeping: parts))
  }
}
