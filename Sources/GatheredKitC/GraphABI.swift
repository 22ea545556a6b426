public import CGatheredKit
import Gathering
import Patches
import Values

/// Puts a patch into a graph.
@_cdecl("gkit_patch_add") @implementation public func gkit_patch_add(
  _ graph: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ child: OpaquePointer?
) -> gkit_status {
  entry {
    let object = try openPatch(graph, "graph")
    let child = try openPatch(child, "child")
    if child.owner !== object.owner {
      throw Failure(Status.invalidArgument, "the child belongs to another context")
    }
    let name = try name.map { try text($0, "name") }
    try object.graph().add(child.patch, as: name)
  }
}

/// The child of a name.
@_cdecl("gkit_patch_find") @implementation public func gkit_patch_find(
  _ graph: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let object = try openPatch(graph, "graph")
    let name = try text(name, "name")
    guard let child = try object.graph()[name] else { throw Failure(PatchError.notFound(name)) }
    try out.give(child, of: object.owner)
  }
}

/// Takes a child out.
@_cdecl("gkit_patch_remove") @implementation public func gkit_patch_remove(
  _ graph: OpaquePointer?, _ name: UnsafePointer<CChar>?
) -> gkit_status {
  entry { try openPatch(graph, "graph").graph().remove(try text(name, "name")) }
}

/// Offers a port of a child as one of the graph's own.
@_cdecl("gkit_patch_offer") @implementation public func gkit_patch_offer(
  _ graph: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ reference: UnsafePointer<CChar>?,
  _ output: Bool
) -> gkit_status {
  entry {
    let graph = try openPatch(graph, "graph").graph()
    let name = try text(name, "name")
    let reference = try text(reference, "reference")
    if output {
      try graph.offer(output: reference, as: name)
    } else {
      try graph.offer(input: reference, as: name)
    }
  }
}

/// A graph as text.
@_cdecl("gkit_patch_export") @implementation public func gkit_patch_export(
  _ graph: OpaquePointer?, _ format: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> gkit_status {
  entry {
    let out = try place(out)
    out.pointee = nil
    let object = try openPatch(graph, "graph")
    let format = try text(format, "format")
    let formats = ["json", "dot", "mermaid"]
    guard formats.contains(format) else {
      throw Failure(
        Status.notFound, Nearest.sentence(to: format, among: formats, what: "format"))
    }
    let graph = try object.graph()
    switch format {
    case "json": out.pointee = try heapText(try graph.json())
    case "dot": out.pointee = try heapText(graph.dot())
    default: out.pointee = try heapText(graph.mermaid())
    }
  }
}

/// Checks a document, and builds the graph if nothing is wrong.
@_cdecl("gkit_patch_from_json") @implementation public func gkit_patch_from_json(
  _ context: OpaquePointer?, _ text: UnsafePointer<CChar>?, _ length: Int,
  _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ out_problems: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try out.map { try OutHandle($0) }
    let places = try out_problems.map { try OutHandle($0, "out_problems") }
    let owner = try openContext(context)
    guard let text else { throw Failure.null("text") }
    guard length >= 0 else { throw Failure(Status.invalidArgument, "length is out of range") }
    try checkReading(UnsafeRawBufferPointer(start: text, count: length))
    let json = [UInt8](UnsafeRawBufferPointer(start: text, count: length))
    let document = GraphDocument(json, owner.context.patchCatalogue)
    try places?.give(DictObject(.list(document.problems.map { .dictionary($0.dictionary) })))
    if let error = document.error { throw Failure(error, in: document) }
    if let out { try out.give(try document.build(in: owner.context).patch, of: owner) }
  }
}

extension Failure {
  /// Why a document cannot be loaded; what is malformed begins with its place (C API R8).
  fileprivate init(_ error: PatchError, in document: GraphDocument) {
    if let fault = document.fault {
      let status = fault.isLimit ? Status.limit : Status.parse
      self.init(status, "byte \(fault.offset): \(fault.reason)")
    } else {
      self.init(error)
    }
  }
}
