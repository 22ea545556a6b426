import Gathering
import Values

/// Ids: what is read prints as text that reads back equal (sources N1).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Input(data, count)
  guard let id = try? Identifier(parsing: input.bytes) else { return 0 }
  let text = "\(id)"
  require((try? Identifier(parsing: text)) == id, "an id reads back equal")
  require(id.parent.map { id.ancestors.last == $0 } ?? id.ancestors.isEmpty, "ancestors end above")
  return 0
}
