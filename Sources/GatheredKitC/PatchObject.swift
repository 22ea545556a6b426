import CGatheredKit
import Gathering
import Patches

/// A patch as C holds it. There is one for each patch that C has seen and anybody keeps.
final class PatchObject: HandleObject, @unchecked Sendable {
  // Safe: everything in it is Sendable by itself.
  let patch: Patch
  let owner: ContextObject

  init(_ patch: Patch, of owner: ContextObject) {
    self.patch = patch
    self.owner = owner
    super.init(.patch)
  }

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

/// Passes the handle of a patch to functions of the host, made for the time of the call.
struct PatchLender: Sendable {
  private weak let owner: ContextObject?

  init(_ owner: ContextObject) { self.owner = owner }

  func lend(_ patch: Patch, _ body: (OpaquePointer) throws -> Void) throws {
    guard let owner else { throw Failure(SourceError.closed) }
    let handle = try owned(PatchObject(patch, of: owner))
    defer { _ = Handles.release(HandleBits(handle)) }
    try body(handle)
  }
}

extension Failure {
  /// An error of patches as C knows it.
  init(_ error: PatchError) {
    self.init(error.status, error.message)
  }
}

extension PatchError {
  fileprivate var status: gkit_status {
    switch self {
    case .notFound: Status.notFound
    case .typeMismatch: Status.type
    case .duplicateName, .exists: Status.exists
    case .badOption, .badName, .notSavable: Status.invalidArgument
    case .cascadeLimit: Status.limit
    case .handlerFailed(_, let code, _): code < 0 ? code : gkit_status(GKIT_ERROR_USER)
    case .invalidGraph: gkit_status(GKIT_ERROR_VALIDATION)
    case .closed: Status.closed
    }
  }
}
