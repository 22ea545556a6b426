public import CGatheredKit
import Gathering
import Values

/// The observable of a property of a source.
@_cdecl("gkit_source_stream") @implementation public func gkit_source_stream(
  _ source: OpaquePointer?, _ key: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let source = try openSource(source)
    let stream = try DynamicStream.property(try text(key, "key"), of: source.source)
    try out.give(StreamObject(stream, of: source.owner, keeping: [source]))
  }
}

/// Makes a stream of a type.
@_cdecl("gkit_stream_new") @implementation public func gkit_stream_new(
  _ context: OpaquePointer?, _ type: UnsafePointer<CChar>?, _ options: OpaquePointer?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let context = try openContext(context)
    let type = try text(type, "type")
    let stream = try DynamicStream.make(
      type, try members(options, "options"), in: context.context)
    try out.give(StreamObject(stream, of: context))
  }
}

/// Changes an option, at once.
@_cdecl("gkit_stream_set_option") @implementation public func gkit_stream_set_option(
  _ stream: OpaquePointer?, _ option: UnsafePointer<CChar>?, _ value: UnsafePointer<gkit_value>?
) -> gkit_status {
  entry {
    let stream = try openStream(stream).stream
    let option = try text(option, "option")
    try stream.setOption(option, to: try GatheredKitC.value(value, "value"))
  }
}

/// Sends a value.
@_cdecl("gkit_stream_send") @implementation public func gkit_stream_send(
  _ stream: OpaquePointer?, _ value: UnsafePointer<gkit_value>?
) -> gkit_status {
  entry {
    // `send` checks that the context is open. The object keeps its stream.
    let object = try object(stream, as: StreamObject.self, "stream")
    defer { withExtendedLifetime(object) {} }
    let stream = Unmanaged.passUnretained(object.stream)
    let sample = try sample(value, "value")
    try stream._withUnsafeGuaranteedRef { try $0.send(sample) }
  }
}

/// Changes a list or set.
@_cdecl("gkit_stream_modify") @implementation public func gkit_stream_modify(
  _ collection: OpaquePointer?, _ modification: OpaquePointer?
) -> gkit_status {
  entry {
    let stream = try openStream(collection, "collection").stream
    try stream.modify(try members(modification, "modification"))
  }
}

/// The value that is held, or was published last.
@_cdecl("gkit_stream_get") @implementation public func gkit_stream_get(
  _ stream: OpaquePointer?, _ out: UnsafeMutablePointer<gkit_sample>?
) -> gkit_status {
  entry {
    let object = try openStream(stream)
    let out = try place(out)
    guard let sample = try object.stream.value() else {
      throw Failure(gkit_status(GKIT_ERROR_NO_DATA), "nothing was published yet")
    }
    let arena = object.scratch.arena(for: .value)
    let origin = object.stream.origin
    let lent = arena.sample(
      sample, property: origin?.property ?? 0, source: origin?.source ?? 0)
    try arena.checkWhole()
    out.pointee = lent
  }
}

/// How many subscriptions are open.
@_cdecl("gkit_stream_subscriber_count") @implementation public func gkit_stream_subscriber_count(
  _ stream: OpaquePointer?
) -> Int64 {
  counting { Int64(try openStream(stream).stream.subscriberCount) }
}

/// Subscribes.
@_cdecl("gkit_stream_subscribe") @implementation public func gkit_stream_subscribe(
  _ stream: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ flags: UInt32, _ fn: gkit_sample_fn?,
  _ user_data: UnsafeMutableRawPointer?, _ destroy: gkit_destroy_fn?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  let userData = UserData(user_data, destroy)
  return entry {
    let place = try out.map { try OutHandle($0) }
    guard let fn else { throw Failure.null("fn") }
    let object = try openStream(stream)
    guard flags & ~UInt32(GKIT_FUTURE_ONLY) == 0 else {
      throw Failure(Status.invalidArgument, "flags must be GKIT_FUTURE_ONLY or 0")
    }
    let origin = object.stream.origin
    var subscriber = DynamicStream.Subscriber(
      isForFutureOnly: flags != 0, onEnd: { userData.end() }
    ) { sample in
      sample.lend(of: origin) { fn($0, 1, userData.pointer) }
    }
    if let name {
      if place != nil {
        throw Failure(
          Status.invalidArgument, "a named subscriber has no connection: out must be NULL")
      }
      return try object.stream.subscribe(named: try text(name, "name"), subscriber)
    }
    // A connection keeps its stream; what floats must not.
    if place != nil { subscriber.keeper = object }
    let connection = try object.stream.subscribe(subscriber, calling: fn, userData.pointer)
    try hand(connection, to: place, orKeepIn: object.floating)
  }
}

/// Removes a named subscriber.
@_cdecl("gkit_stream_unsubscribe") @implementation public func gkit_stream_unsubscribe(
  _ stream: OpaquePointer?, _ name: UnsafePointer<CChar>?
) -> gkit_status {
  entry { try openStream(stream).stream.unsubscribe(try text(name, "name")) }
}

/// Opens a transaction, or joins the one that is open.
@_cdecl("gkit_stream_begin") @implementation public func gkit_stream_begin(
  _ stream: OpaquePointer?
) -> gkit_status {
  entry { try openStream(stream).stream.begin() }
}

/// Ends what one begin has begun.
@_cdecl("gkit_stream_end") @implementation public func gkit_stream_end(
  _ stream: OpaquePointer?
) -> gkit_status {
  entry { try openStream(stream).stream.end() }
}

/// Keeps two updatables equal both ways.
@_cdecl("gkit_stream_bind") @implementation public func gkit_stream_bind(
  _ a: OpaquePointer?, _ b: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let place = try out.map { try OutHandle($0) }
    let (left, right) = (try openStream(a, "a"), try openStream(b, "b"))
    let keeper = place.map { _ in Pair(left, right) }
    let binding = try left.stream.bind(to: right.stream, keeping: keeper)
    try hand(binding, to: place, orKeepIn: left.floating)
  }
}

/// Two streams that a binding keeps.
private final class Pair: Sendable {
  let left: StreamObject
  let right: StreamObject

  init(_ left: StreamObject, _ right: StreamObject) {
    self.left = left
    self.right = right
  }
}
