import CGatheredKit
import Gathering
import Ground
import Patches

/// A patch as C holds it. A patch has at most one and does not keep it. While the host holds a
/// handle of it, all calls and callbacks give that handle.
final class PatchObject: HandleObject, @unchecked Sendable {
  // Safe: everything in it is Sendable by itself.
  let patch: Patch
  let owner: ContextObject
  private let bits = Monitor<HandleBits?>(nil, rank: .handle)

  private init(_ patch: Patch, of owner: ContextObject) {
    self.patch = patch
    self.owner = owner
    super.init(.patch)
  }

  /// What C knows a patch as.
  static func of(_ patch: Patch, in owner: ContextObject) -> PatchObject {
    patch.companion { PatchObject(patch, of: owner) }
  }

  /// One more reference of the handle the host holds; a new handle if it holds none.
  func reference() throws -> OpaquePointer {
    try bits.withLock { bits in
      if let known = bits, let handle = known.pointer, Handles.current.retain(known) {
        return handle
      }
      let handle = try owned(self)
      bits = HandleBits(handle)
      return handle
    }
  }

  override var keeper: (any HandleKeeper)? { owner }

  override var summary: String {
    let type = patch.type.map { " \($0)" } ?? ""
    let name = patch.name.isEmpty ? "" : " \(patch.name)"
    return "patch\(type)\(name)"
  }

  /// The graph it is; NOT_SUPPORTED if it is none.
  func graph() throws -> Graph {
    guard let graph = patch.graph else {
      throw Failure(Status.notSupported, "this patch is no graph")
    }
    return graph
  }
}

/// A patch whose context is open.
func openPatch(_ handle: OpaquePointer?, _ parameter: String = "patch") throws -> PatchObject {
  let patch = try object(handle, as: PatchObject.self, parameter)
  if patch.owner.context.isClosed { throw Failure(SourceError.closed) }
  return patch
}

/// Passes the handle of a patch to functions of the host: the host's own, and one made for the time
/// of the call where the host holds none.
struct PatchLender: Sendable {
  private weak let owner: ContextObject?

  init(_ owner: ContextObject) { self.owner = owner }

  func lend(_ patch: Patch, _ body: (OpaquePointer) throws -> Void) throws {
    guard let owner else { throw Failure(SourceError.closed) }
    // A reference more, so that the handle outlives the call whatever the host releases in it.
    let handle = try PatchObject.of(patch, in: owner).reference()
    defer { _ = Handles.release(HandleBits(handle)) }
    try body(handle)
  }
}

extension OutHandle {
  /// Hands a patch to the host, who then owns one reference more.
  func give(_ patch: Patch, of owner: ContextObject) throws {
    try give(PatchObject.of(patch, in: owner).reference())
  }
}

extension Failure {
  /// An error of patches as C knows it.
  init(_ error: PatchError) {
    self.init(error.status, error.message)
  }
}

extension PatchError {
  /// What a call answers that fails so; of a handler, what it answered itself.
  var status: gkit_status {
    switch self {
    case .notFound: Status.notFound
    case .typeMismatch: Status.type
    case .duplicateName, .exists: Status.exists
    case .badOption, .badName, .notSavable: Status.invalidArgument
    case .cascadeLimit: Status.limit
    case .handlerFailed(_, let code, _): code < 0 ? code : gkit_status(GKIT_ERROR_USER)
    case .invalidGraph(let problems):
      problems.contains { $0.code == .malformed }
        ? Status.parse : gkit_status(GKIT_ERROR_VALIDATION)
    case .closed: Status.closed
    }
  }
}
