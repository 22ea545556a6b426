public import CGatheredKit
import DataSources
import Gathering
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
    let (access, name) = try StoreOpening.open(type, options, in: owner)
    let claimed = try SinkName.claim(name, for: access, of: owner)
    try out.give(
      DataSourceObject(
        access, type, of: owner, copies: StoreOpening.copies(of: type), named: claimed))
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
    guard let query else { throw Failure.null("query") }
    let asked = try object(query, as: DictObject.self, "query")
    try checkRoom(for: asked.extent.memory, times: 4)
    let question = try asked.question()
    let value = try value.map { try GatheredKitC.value($0, "value") } ?? .none
    let extent = Extent(of: value)
    try extent.check()
    try checkRoom(for: extent.memory + asked.extent.memory, times: source.copies)
    out.give(try source.ask(verb, question, Content(value, by: verb)))
  }
}

extension Content<Value> {
  /// What a value of the host brings to a verb; NONE stands for null.
  fileprivate init(_ value: Value, by verb: Verb) {
    switch (verb, value) {
    case (.get, _), (.getAll, _), (.delete, _), (_, .none): self = .none
    case (.putAll, .list(let values)): self = .list(values)
    default: self = .object(value)
    }
  }
}
