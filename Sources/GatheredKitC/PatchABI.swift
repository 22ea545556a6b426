public import CGatheredKit
import Gathering
import Ground
import Patches
import Streams
import Values

/// Makes a patch of a type, or an empty one.
@_cdecl("gkit_patch_new") @implementation public func gkit_patch_new(
  _ context: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ options: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let context = try openContext(context)
    let type = try type.map { try text($0, "type") }
    let options = try members(options, "options")
    if type == nil, !options.isEmpty {
      throw Failure(Status.invalidArgument, "a patch without a type has no options")
    }
    let patch = try context.context.makePatch(type, options: options)
    try out.give(patch, of: context)
  }
}

/// Adds a type of the host's own.
@_cdecl("gkit_patch_register") @implementation public func gkit_patch_register(
  _ context: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ make: gkit_patch_make_fn?,
  _ user_data: UnsafeMutableRawPointer?, _ destroy: gkit_destroy_fn?
) -> gkit_status {
  let userData = UserData(user_data, destroy)
  return entry {
    guard let make else { throw Failure.null("make") }
    let owner = try openContext(context)
    let type = try text(type, "type")
    let function = try UserFunction(in: owner.context, onEnd: { userData.end() })
    let lender = PatchLender(owner)
    try owner.context.patchCatalogue.register(type) { patch, options in
      var outcome: Result<Void, any Error> = .failure(SourceError.closed)
      function.call {
        outcome = Result {
          try lender.lend(patch) { handle in
            let options = try owned(DictObject(.dictionary(options)))
            let status = make(handle, options, userData.pointer)
            _ = Handles.release(HandleBits(options))
            if status < 0 { throw HandlerFailure(code: status, status) }
          }
        }
      }
      try outcome.get()
    }
  }
}

/// The catalogue.
@_cdecl("gkit_patch_list_types") @implementation public func gkit_patch_list_types(
  _ context: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let catalogue = try openContext(context).context.patchCatalogue
    try out.give(DictObject(.list(catalogue.description)))
  }
}

/// What a patch is made of.
@_cdecl("gkit_patch_get_info") @implementation public func gkit_patch_get_info(
  _ patch: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    try out.give(DictObject(.dictionary(try openPatch(patch).patch.info)))
  }
}

/// Adds an input, or replaces the one of that name.
@_cdecl("gkit_patch_add_input") @implementation public func gkit_patch_add_input(
  _ patch: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ hint: UnsafePointer<CChar>?,
  _ fn: gkit_input_fn?, _ user_data: UnsafeMutableRawPointer?, _ destroy: gkit_destroy_fn?
) -> gkit_status {
  let userData = UserData(user_data, destroy)
  return entry {
    let object = try openPatch(patch)
    let description = PortDescription(try text(name, "name"), try portType(hint))
    guard let fn else { return try object.patch.define(input: description) { _, _ in } }
    let lender = PatchLender(object.owner)
    object.owner.add(userData)
    try object.patch.define(input: description) { patch, sample in
      var status: gkit_status = 0
      try lender.lend(patch) { handle in
        sample.lend(of: nil) { sample in
          userData.use { status = fn(handle, sample, userData.pointer) }
        }
      }
      if status < 0 { throw HandlerFailure(code: status, status) }
    }
  }
}

/// Adds an output, or replaces the one of that name.
@_cdecl("gkit_patch_add_output") @implementation public func gkit_patch_add_output(
  _ patch: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ hint: UnsafePointer<CChar>?
) -> gkit_status {
  entry {
    let patch = try openPatch(patch).patch
    try patch.define(output: PortDescription(try text(name, "name"), try portType(hint)))
  }
}

/// Removes a port.
@_cdecl("gkit_patch_remove_port") @implementation public func gkit_patch_remove_port(
  _ patch: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ output: Bool
) -> gkit_status {
  entry {
    let patch = try openPatch(patch).patch
    let name = try text(name, "name")
    if output { try patch.removeOutput(name) } else { try patch.removeInput(name) }
  }
}

/// The publink of a port.
@_cdecl("gkit_patch_port") @implementation public func gkit_patch_port(
  _ patch: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ output: Bool,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let object = try openPatch(patch)
    let name = try text(name, "name")
    let publink = try output ? object.patch.output(name) : object.patch.input(name)
    let stream = DynamicStream(publink, in: object.owner.context)
    try out.give(StreamObject(stream, of: object.owner, keeping: [object]))
  }
}

/// Calls the handler of an input with a value.
@_cdecl("gkit_patch_set_value") @implementation public func gkit_patch_set_value(
  _ patch: OpaquePointer?, _ input: UnsafePointer<CChar>?, _ value: UnsafePointer<gkit_value>?
) -> gkit_status {
  entry {
    let patch = try openPatch(patch).patch
    try patch.set(try GatheredKitC.value(value, "value"), for: try text(input, "input"))
  }
}

/// Publishes a value on an output.
@_cdecl("gkit_patch_publish") @implementation public func gkit_patch_publish(
  _ patch: OpaquePointer?, _ output: UnsafePointer<CChar>?, _ value: UnsafePointer<gkit_value>?
) -> gkit_status {
  entry {
    let patch = try openPatch(patch).patch
    try patch.publish(try GatheredKitC.value(value, "value"), on: try text(output, "output"))
  }
}

/// Wires an input to a stream, or cuts its wire.
@_cdecl("gkit_patch_set_input") @implementation public func gkit_patch_set_input(
  _ patch: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ stream: OpaquePointer?
) -> gkit_status {
  entry {
    let object = try openPatch(patch)
    let name = try text(name, "name")
    guard let stream else { return try object.patch.disconnect(name) }
    let input = try openStream(stream)
    if input.owner !== object.owner {
      throw Failure(Status.invalidArgument, "the stream belongs to another context")
    }
    try object.patch.setInput(name, input.stream.wireable)
  }
}

/// The stream of what fails in a patch.
@_cdecl("gkit_patch_errors") @implementation public func gkit_patch_errors(
  _ patch: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let object = try openPatch(patch)
    let context = object.owner.context
    let errors = object.patch.errors.map { error in
      let now = context.now
      var event = error.dictionary
      event["status"] = .int(Int64(error.status))
      return Sample(.dictionary(event), time: now.boot, realtime: now.realtime)
    }
    let stream = DynamicStream(errors, in: context)
    try out.give(StreamObject(stream, of: object.owner, keeping: [object]))
  }
}

/// What a port takes; NULL takes anything.
private func portType(_ hint: UnsafePointer<CChar>?) throws -> PortType {
  guard let hint else { return .any }
  let word = try text(hint, "hint")
  guard let type = PortType(rawValue: word) else {
    let words = PortType.allCases.map(\.rawValue)
    throw Failure(
      Status.invalidArgument, Nearest.sentence(to: word, among: words, what: "hint"))
  }
  return type
}

extension HandlerFailure {
  fileprivate init(code: Int32, _ status: gkit_status) {
    self.init(
      code: code, message: "it answered \(Status.word(of: status))",
      isRefusal: status == Status.limit)
  }
}
