import CGatheredKit
import Gathering

/// Text of the host: not NULL, NUL-terminated, UTF-8 (C API rule 11).
func text(_ characters: UnsafePointer<CChar>?, _ parameter: String) throws -> String {
  guard let characters else { throw Failure.null(parameter) }
  guard let text = String(validatingCString: characters) else {
    throw Failure(Status.invalidArgument, "\(parameter) is not UTF-8")
  }
  return text
}

/// The bytes of a text that a parser of its own judges (C API R8).
func bytes(_ characters: UnsafePointer<CChar>?, _ parameter: String) throws -> [UInt8] {
  guard let characters else { throw Failure.null(parameter) }
  var bytes: [UInt8] = []
  var next = characters
  while next.pointee != 0 {
    bytes.append(UInt8(bitPattern: next.pointee))
    next += 1
  }
  return bytes
}

/// The object of a handle, of the type expected.
func object<Object: HandleObject>(
  _ handle: OpaquePointer?, as type: Object.Type, _ parameter: String
) throws -> Object {
  guard let handle else { throw Failure.null(parameter) }
  let bits = HandleBits(UInt(bitPattern: handle))
  guard let found = Handles.current.object(bits) as? Object else {
    if HandleType(rawValue: bits.type) != nil, Handles.isForked(bits) {
      throw Failure(SourceError.forked)
    }
    throw Failure(
      Status.invalidArgument, "\(parameter) is not a living handle of the type wanted")
  }
  return found
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
  if source.source.context.isClosed { throw Failure(SourceError.closed) }
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
    guard let handle = Handles.current.insert(object) else {
      throw Failure(Status.limit, "too many handles")
    }
    object.wasGiven(handle)
    place.pointee = handle
  }
}
