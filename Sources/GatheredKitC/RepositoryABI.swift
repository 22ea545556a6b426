public import CGatheredKit
import DataSources
import Gathering
import Values

/// Joins a main data source and a cache.
@_cdecl("gkit_repository_new") @implementation public func gkit_repository_new(
  _ main: OpaquePointer?, _ cache: OpaquePointer?, _ options: OpaquePointer?,
  _ check: gkit_map_fn?, _ fallback: gkit_fallback_fn?, _ user_data: UnsafeMutableRawPointer?,
  _ destroy: gkit_destroy_fn?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  let userData = UserData(user_data, destroy)
  return entry {
    let out = try OutHandle(out)
    let main = try openDataSource(main, "main")
    let cache = try openDataSource(cache, "cache", besides: main)
    var options = try Options(options, of: "repository")
    let emptyListIsValid = try options.flag("empty_list_is_valid") ?? true
    let name = try options.text("name")
    try options.finish()
    let host = HostFunctions(main.owner, userData)
    let needsLoop = check != nil || fallback != nil
    // What the functions judge arrives where they run.
    let place = { (source: DataSourceObject) in
      needsLoop ? source.access.replying(on: host.loop) : source.access
    }
    let repository = RepositoryAccess(
      main: place(main), cache: cache.map(place),
      validation: check.map {
        Validation(emptyListIsValid: emptyListIsValid, host.check($0))
      } ?? Validation(emptyListIsValid: emptyListIsValid) { _ in true },
      onCacheFailure: { error in
        HostLog.write(Int32(GKIT_LOG_WARNING), "datasource") {
          "the cache of a repository cannot be refreshed: \(error.message)"
        }
      })
    let access = routed(repository, fallback.map { host.fallback($0) } ?? .never, userData)
    let parts = [main, cache].compactMap { $0 }
    try out.give(
      DataSourceObject(
        access, "repository", of: main.owner, needsLoop: needsLoop, keeping: parts,
        named: try SinkName.claim(name, for: access, of: main.owner)))
  }
}

/// The calls of a repository, each by the route that its query names.
private func routed(
  _ repository: RepositoryAccess<Value>, _ fallback: Fallback, _ userData: UserData
) -> DataAccess<Value> {
  DataAccess { call, reply in
    withExtendedLifetime(userData) {}
    var note = call.note as? QueryNote
    guard let operation = DataSources.Operation(route: note?.route, fallback) else {
      return reply(.failure(DataSourceError(.illegalArgument, "there is no such route")))
    }
    // A repository among its stores is asked without a route.
    note?.route = nil
    var call = call
    call.note = note
    repository.perform(call, operation, reply)
  }
}

extension DataSources.Operation {
  fileprivate init?(route: Value?, _ fallback: Fallback) {
    switch route {
    case nil, .string("default"): self = .default
    case .string("main"): self = .main
    case .string("cache"): self = .cache()
    case .string("cache_ignoring_validity"): self = .cache(ignoringValidity: true)
    case .string("main_sync"): self = .mainSync
    case .string("cache_sync"): self = .cacheSync(fallback)
    default: return nil
    }
  }
}
