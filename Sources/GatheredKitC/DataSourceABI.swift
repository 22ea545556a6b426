public import CGatheredKit
import DataSources
import Gathering
import Recording
import Values

/// Opens a store.
@_cdecl("gkit_datasource_open") @implementation public func gkit_datasource_open(
  _ context: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ options: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let owner = try openContext(context)
    let type = try text(type, "type")
    let store = try StoreCatalogue.open(
      type, members(options, "options"), among: owner.workers, dataHome: owner.dataHome)
    let claimed = try SinkName.claim(store.name, for: store.access, of: owner)
    try out.give(
      DataSourceObject(
        store.access, type, of: owner, copies: StoreCatalogue.copies(of: type), named: claimed))
  }
}

/// Makes a data source of a function of the host.
@_cdecl("gkit_datasource_new_custom") @implementation public func gkit_datasource_new_custom(
  _ context: OpaquePointer?, _ fn: gkit_perform_fn?, _ user_data: UnsafeMutableRawPointer?,
  _ destroy: gkit_destroy_fn?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  let userData = UserData(user_data, destroy)
  return entry {
    let out = try OutHandle(out)
    guard let fn else { throw Failure.null("fn") }
    let owner = try openContext(context)
    owner.add(userData)
    let custom = CustomSource(fn: fn, owner: WeakOwner(object: owner), userData: userData)
    let access = custom.access(on: owner.loop)
    try out.give(DataSourceObject(access, "custom", of: owner, needsLoop: true))
  }
}

/// Makes a call.
@_cdecl("gkit_datasource_perform") @implementation public func gkit_datasource_perform(
  _ datasource: OpaquePointer?, _ operation: Int32, _ query: OpaquePointer?,
  _ value: UnsafePointer<gkit_value>?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let source = try openDataSource(datasource)
    let all = Int32(GKIT_OPERATION_DELETE_ALL)
    guard let verb = operation == all ? .delete : Verb(rawValue: operation) else {
      throw Failure(Status.invalidArgument, "there is no operation \(operation)")
    }
    guard let handle = query else { throw Failure.null("query") }
    let asked = try object(handle, as: DictObject.self, "query").query()
    var (payload, memory) = (CallPayload<Value>.none, asked.memory)
    if let value {
      let value = try GatheredKitC.value(value, "value")
      let extent = Extent(of: value)
      try extent.check()
      (payload, memory) = (CallPayload(value, by: verb), memory + extent.memory)
    }
    try checkRoom(for: memory, times: source.copies)
    out.give(try source.ask(verb, asked, payload))
  }
}
