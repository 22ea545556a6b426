import CGatheredKit
import Gathering
import Glibc
import Values

/// Takes one more reference.
@_cdecl("gkit_retain") @implementation public func gkit_retain(
  _ handle: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
  guard let handle, Handles.current.retain(HandleBits(handle)) else {
    Status.fail(missing(handle.map(OpaquePointer.init), "handle"))
    return nil
  }
  return handle
}

/// Gives one reference back.
@_cdecl("gkit_release") @implementation public func gkit_release(
  _ handle: UnsafeMutableRawPointer?
) {
  guard let handle, !Handles.release(HandleBits(handle)) else { return }
  if Handles.isForked(HandleBits(handle)) { return }
  Status.fail(missing(OpaquePointer(handle), "handle"))
}

/// One line about an object.
@_cdecl("gkit_describe") @implementation public func gkit_describe(
  _ handle: UnsafeRawPointer?
) -> UnsafeMutablePointer<CChar>? {
  answering {
    guard let handle, let object = Handles.current.object(HandleBits(handle)) else {
      throw missing(handle.map(OpaquePointer.init), "handle")
    }
    return try heapText(object.summary)
  }
}

/// Frees text the library gave.
@_cdecl("gkit_free") @implementation public func gkit_free(_ memory: UnsafeMutableRawPointer?) {
  free(memory)
}

/// How many objects exist.
@_cdecl("gkit_live_count") @implementation public func gkit_live_count(
  _ type: UnsafePointer<CChar>?
) -> Int64 {
  counting {
    guard type != nil else { return HandleType.allCases.map(LiveCounts.of).reduce(0, +) }
    let name = try text(type, "type")
    guard let type = HandleType.allCases.first(where: { $0.name == name }) else {
      throw Failure(
        Status.invalidArgument,
        "there is no type \(Array(name.utf8).quotedExcerpt); there are "
          + HandleType.allCases.map(\.name).joined(separator: ", "))
    }
    return LiveCounts.of(type)
  }
}
