@testable import Gathering

/// Context URIs and the categories a context allows: understood or refused.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = Input(data, count).text
  let first = try? ContextURI(text)
  require((try? ContextURI(text)) == first, "one text has one meaning")
  _ = try? Allowance(parsing: text)
  return 0
}
