public import CGatheredKit
import Gathering
import SourceKinds
import Values

// The two names are too long for one line, and the formatter would part them from `public`.

/// A kind's default interval.
// swift-format-ignore
@_cdecl("gkit_kind_get_default_interval") @implementation public
func gkit_kind_get_default_interval(
  _ kind: UnsafePointer<CChar>?, _ out_ns: UnsafeMutablePointer<Int64>?
) -> gkit_status {
  entry {
    let out = try place(out_ns, "out_ns")
    out.pointee = DefaultIntervals.interval(of: try sourceKind(kind))
  }
}

/// Changes a kind's default interval.
// swift-format-ignore
@_cdecl("gkit_kind_set_default_interval") @implementation public
func gkit_kind_set_default_interval(
  _ kind: UnsafePointer<CChar>?, _ interval_ns: Int64
) -> gkit_status {
  entry {
    let kind = try sourceKind(kind)
    guard interval_ns >= 0 else {
      throw Failure(Status.invalidArgument, "interval_ns is negative; 0 is the factory value")
    }
    try DefaultIntervals.set(interval_ns == 0 ? nil : interval_ns, of: kind)
  }
}

/// The kinds in words.
@_cdecl("gkit_kind_list") @implementation public func gkit_kind_list(
  _ kind: UnsafePointer<CChar>?, _ out: UnsafeMutablePointer<OpaquePointer?>?
) -> gkit_status {
  entry {
    let out = try OutHandle(out)
    let name = try kind.map { try text($0, "kind") }
    try out.give(DictObject(.list(try SourceCatalogue.description(of: name))))
  }
}

/// The kind of the catalogue that has a name.
private func sourceKind(_ name: UnsafePointer<CChar>?) throws -> any SourceKind {
  try SourceCatalogue.kind(named: try text(name, "kind"))
}
