import CGatheredKit
import Gathering
import Values

/// A stream as C holds it. It keeps what it is made of; connections keep it.
final class StreamObject: HandleObject, @unchecked Sendable {
  // Safe: everything in it is Sendable by itself.
  let stream: DynamicStream
  let owner: ContextObject
  let scratch = ThreadArenas()
  /// Registrations without a connection of the host's live as long as the stream.
  let floating = FloatingTokens()
  /// Its inputs, its source, its patch.
  private let parents: [HandleObject]

  init(_ stream: DynamicStream, of owner: ContextObject, keeping parents: [HandleObject] = []) {
    self.stream = stream
    self.owner = owner
    self.parents = parents
    super.init(.stream)
  }

  override var keeper: (any HandleKeeper)? { owner }

  override var summary: String {
    let count = stream.subscriberCount
    return "stream \(stream.word) of \(count) subscriber\(count == 1 ? "" : "s")"
  }
}

/// A stream whose context is open.
func openStream(
  _ handle: OpaquePointer?, _ parameter: String = "stream"
) throws -> StreamObject {
  let stream = try object(handle, as: StreamObject.self, parameter)
  if stream.owner.context.isClosed { throw Failure(SourceError.closed) }
  return stream
}

/// The members of a dictionary of the host; none for NULL.
func members(_ handle: OpaquePointer?, _ parameter: String) throws -> ValueDictionary {
  guard let handle else { return [:] }
  let content = try object(handle, as: DictObject.self, parameter).value
  guard case .dictionary(let members) = content else {
    throw Failure(Status.invalidArgument, "\(parameter) is a list")
  }
  return members
}

extension Sample {
  /// Calls with this sample as C sees it: mostly as it lies there.
  @inline(__always)
  func lend(
    of origin: DynamicStream.Origin?, _ body: (UnsafePointer<gkit_sample>) -> Void
  ) {
    if origin == nil, isWholeRow {
      lend(body)
    } else {
      lendCopy(of: origin, body)
    }
  }

  @inline(never)
  private func lendCopy(
    of origin: DynamicStream.Origin?, _ body: (UnsafePointer<gkit_sample>) -> Void
  ) {
    var row = lend(\.pointee)
    row.source = origin?.source ?? 0
    row.property = UInt32(truncatingIfNeeded: origin?.property ?? 0)
    var arena: Arena?
    if !isWholeRow {
      let lent = Arena()
      row.value = lent.value(value)
      arena = lent
    }
    body(&row)
    withExtendedLifetime((self, arena)) {}
  }
}
