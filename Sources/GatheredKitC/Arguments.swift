import CGatheredKit
import Gathering
import Glibc
import Values

/// Text of the host: not NULL, NUL-terminated, UTF-8 (C API rule 11).
func text(_ characters: UnsafePointer<CChar>?, _ parameter: String) throws -> String {
  guard let characters else { throw Failure.null(parameter) }
  try checkLength(strlen(characters), parameter)
  guard let text = String(validatingCString: characters) else {
    throw Failure(Status.invalidArgument, "\(parameter) is not UTF-8")
  }
  return text
}

/// No name, path or message has more than a mebibyte.
private func checkLength(_ length: Int, _ parameter: String) throws {
  if length > 1 << 20 {
    throw Failure(Status.limit, "\(parameter) has more than \(1 << 20) bytes")
  }
  try checkRoom(for: length, times: 4)
}

/// The bytes of a text that a parser of its own judges (C API R8).
func bytes(
  _ characters: UnsafePointer<CChar>?, _ parameter: String
) throws -> UnsafeBufferPointer<UInt8> {
  guard let characters else { throw Failure.null(parameter) }
  let count = strlen(characters)
  try checkLength(count, parameter)
  return UnsafeBufferPointer(
    start: UnsafeRawPointer(characters).assumingMemoryBound(to: UInt8.self), count: count)
}

extension Options {
  /// The options in a dictionary of the host, or none.
  init(_ handle: OpaquePointer?, of owner: String) throws {
    self.init(try members(handle, "options"), of: owner)
  }
}

/// Where a result goes: not NULL.
func place<Filled>(
  _ place: UnsafeMutablePointer<Filled>?, _ parameter: String = "out"
) throws -> UnsafeMutablePointer<Filled> {
  guard let place else { throw Failure.null(parameter) }
  return place
}

/// The object of a handle, of the type expected.
@_optimize(speed)
func object<Object: HandleObject>(
  _ handle: OpaquePointer?, as type: Object.Type, _ parameter: String
) throws -> Object {
  // Each type of handle is one final class, so that a look at the class itself is enough.
  if let handle, let found = Handles.current.object(HandleBits(handle)),
    Swift.type(of: found) == Object.self
  {
    return unsafeDowncast(found, to: Object.self)
  }
  throw missing(handle, parameter)
}

/// Why there is no object.
@inline(never)
func missing(_ handle: OpaquePointer?, _ parameter: String) -> Failure {
  guard let handle else { return Failure.null(parameter) }
  if Handles.isForked(HandleBits(handle)) { return Failure(SourceError.forked) }
  return Failure(
    Status.invalidArgument, "\(parameter) is not a living handle of the type wanted")
}

/// A context that is open.
func openContext(_ handle: OpaquePointer?) throws -> ContextObject {
  let context = try object(handle, as: ContextObject.self, "context")
  if context.context.isClosed { throw Failure(SourceError.closed) }
  return context
}

/// A source whose context is open.
func openSource(_ handle: OpaquePointer?) throws -> SourceObject {
  let source = try object(handle, as: SourceObject.self, "source")
  if source.source.life.isClosed { throw Failure(SourceError.closed) }
  return source
}

/// Where an owned handle goes; NULL until there is one.
struct OutHandle {
  private let place: UnsafeMutablePointer<OpaquePointer?>

  init(_ place: UnsafeMutablePointer<OpaquePointer?>?, _ parameter: String = "out") throws {
    guard let place else { throw Failure.null(parameter) }
    place.pointee = nil
    self.place = place
  }

  /// Hands an object to the host, who then owns one reference.
  func give(_ object: HandleObject) throws {
    give(try owned(object))
  }

  /// Hands a reference to the host.
  func give(_ handle: OpaquePointer) {
    place.pointee = handle
  }
}

/// A handle of a new object, of which the host owns one reference.
func owned(_ object: HandleObject) throws -> OpaquePointer {
  guard let handle = Handles.insert(object) else {
    throw Failure(Status.limit, "there are 16 million handles already; release some")
  }
  return handle
}
