/// How a device storage tells its entries from those of others in the same file (data sources L22).
public enum StorageLayout: Sendable, Equatable {
  /// Under the bare key. The file is shared: there is no `all`.
  case regular
  /// Under `prefix.key`; the empty prefix is the regular layout.
  case prefix(String)
  /// In a dictionary of its own, named by this and the type of the values.
  case root(String)
}

/// Where the entries of a layout stand: a space of keys, and what all its keys begin with.
struct StorageSpace: Sendable {
  /// The name of the space: empty for the one that regular and prefix layouts share.
  let name: String
  /// What is put before each key.
  let lead: String

  init(_ layout: StorageLayout, type: StoredType?) {
    switch layout {
    case .regular: (name, lead) = ("", "")
    case .prefix(let prefix): (name, lead) = ("", prefix.isEmpty ? "" : prefix.spelledPrefix + ".")
    // The point keeps a root without name from being the shared space.
    case .root(let root): (name, lead) = (root.spelledPrefix + "." + (type ?? .any).name, "")
    }
  }

  /// Whether it has an end of its own, and so can be listed.
  var isOwn: Bool { !lead.isEmpty || isRoot }

  var isRoot: Bool { !name.isEmpty }

  /// The least text greater than every key with the lead; nil when there is no lead.
  var end: String? { lead.isEmpty ? nil : String(lead.dropLast()) + "/" }
}

extension String {
  /// With `%` and `.` spelled out, so that the first point ends it (data sources L23).
  fileprivate var spelledPrefix: String {
    var bytes: [UInt8] = []
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "%"): bytes += Array("%25".utf8)
      case UInt8(ascii: "."): bytes += Array("%2E".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
