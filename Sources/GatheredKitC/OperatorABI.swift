public import CGatheredKit
import Gathering
import Values

/// Makes a stream by an operator.
@_cdecl("gkit_stream_apply") @implementation public func gkit_stream_apply(
  _ stream: OpaquePointer?, _ op: UnsafePointer<CChar>?, _ arguments: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let input = try openStream(stream)
    let name = try text(op, "op")
    let result = try input.stream.apply(name, try members(arguments, "arguments"))
    try out.give(StreamObject(result, of: input.owner, keeping: [input]))
  }
}

/// Makes a stream of several.
@_cdecl("gkit_stream_combine") @implementation public func gkit_stream_combine(
  _ streams: UnsafePointer<OpaquePointer?>?, _ count: Int, _ op: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    guard count > 0 else { throw Failure(Status.invalidArgument, "there are no streams") }
    guard count <= 1 << 16 else {
      throw Failure(Status.limit, "there are more than \(1 << 16) streams")
    }
    guard let streams else { throw Failure.null("streams") }
    let inputs = try (0..<count).map { try openStream(streams[$0], "a stream") }
    let result = try DynamicStream.combine(inputs.map(\.stream), try text(op, "op"))
    try out.give(StreamObject(result, of: inputs[0].owner, keeping: inputs))
  }
}

/// The operators there are.
@_cdecl("gkit_stream_list_operators") @implementation public func gkit_stream_list_operators(
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    try out.give(DictObject(.list(DynamicStream.operators)))
  }
}

/// Makes a plain stream by a function of the host.
@_cdecl("gkit_stream_transform") @implementation public func gkit_stream_transform(
  _ stream: OpaquePointer?, _ fn: gkit_transform_fn?, _ user_data: UnsafeMutableRawPointer?,
  _ destroy: gkit_destroy_fn?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  let userData = UserData(user_data, destroy)
  return entry {
    let out = try OutHandle(out)
    guard let fn else { throw Failure.null("fn") }
    let input = try openStream(stream)
    let origin = input.stream.origin
    let result = try input.stream.transform(
      calling: fn, userData.pointer, onEnd: { userData.end() }, check: readable
    ) { sample in
      var value = gkit_value()
      var isKept = false
      sample.lend(of: origin) { isKept = fn($0, &value, userData.pointer) }
      return isKept ? readable(&value) : nil
    }
    try out.give(StreamObject(result, of: input.owner, keeping: [input]))
  }
}

/// Maps an observable by functions of the host.
@_cdecl("gkit_stream_map_both") @implementation public func gkit_stream_map_both(
  _ observable: OpaquePointer?, _ to: gkit_map_fn?, _ from: gkit_map_fn?,
  _ user_data: UnsafeMutableRawPointer?, _ destroy: gkit_destroy_fn?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  let userData = UserData(user_data, destroy)
  return entry {
    let out = try OutHandle(out)
    guard let to else { throw Failure.null("to") }
    let input = try openStream(observable, "observable")
    let forward = mapping(to, userData)
    let back = from.map { mapping($0, userData) }
    let result = try input.stream.mapBoth(
      onEnd: { userData.end() }, to: forward, from: back)
    try out.give(StreamObject(result, of: input.owner, keeping: [input]))
  }
}

/// A mapping function of the host; a negative status is thrown.
private func mapping(
  _ fn: @escaping gkit_map_fn, _ userData: UserData
) -> @Sendable (Value) throws -> Value {
  { input in
    let arena = Arena()
    var source = arena.value(input)
    try arena.checkWhole()
    var target = gkit_value()
    let status = fn(&source, &target, userData.pointer)
    withExtendedLifetime(arena) {}
    guard status >= 0 else { throw Failure(status, "the function rejects the value") }
    return try value(&target, "what the function made")
  }
}

/// What a function of the host made; what is no value counts as dropped, and is told.
@Sendable
private func readable(_ made: UnsafeMutablePointer<gkit_value>) -> Sample? {
  var result: Sample?
  _ = entry { result = try sample(made, "what the function made") }
  return result
}
