public import CGatheredKit
import Gathering
import Values

/// Makes an empty dictionary.
@_cdecl("gkit_dict_new") @implementation public func gkit_dict_new() -> OpaquePointer? {
  answering { try owned(DictObject(.dictionary([:]))) }
}

/// Makes an empty list.
@_cdecl("gkit_list_new") @implementation public func gkit_list_new() -> OpaquePointer? {
  answering { try owned(DictObject(.list([]))) }
}

/// Sets a member or appends an item.
@_cdecl("gkit_dict_set") @implementation public func gkit_dict_set(
  _ dict: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ value: UnsafePointer<gkit_value>?
) -> gkit_status {
  entry {
    let dict = try object(dict, as: DictObject.self, "dict")
    let key = try key.map { try text($0, "key") }
    try dict.set(key, try GatheredKitC.value(value, "value"))
  }
}

/// Looks a member up.
@_cdecl("gkit_dict_get") @implementation public func gkit_dict_get(
  _ dict: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ out: UnsafeMutablePointer<gkit_value>?
) -> gkit_status {
  entry {
    let dict = try object(dict, as: DictObject.self, "dict")
    let out = try place(out)
    out.pointee = try dict.member(try text(key, "key"))
  }
}

/// How many members or items there are.
@_cdecl("gkit_dict_count") @implementation public func gkit_dict_count(
  _ dict: OpaquePointer?
) -> Int {
  var count = 0
  _ = entry { count = try object(dict, as: DictObject.self, "dict").count }
  return count
}

/// The member or item at a position.
@_cdecl("gkit_dict_at") @implementation public func gkit_dict_at(
  _ dict: OpaquePointer?, _ index: Int,
  _ out_key: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ out: UnsafeMutablePointer<gkit_value>?
) -> gkit_status {
  entry {
    let dict = try object(dict, as: DictObject.self, "dict")
    let out = try place(out)
    let found = try dict.entry(at: index)
    out_key?.pointee = found.key
    out.pointee = found.value
  }
}
