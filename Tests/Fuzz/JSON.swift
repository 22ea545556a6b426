import Gathering
import Values

/// JSON: what is read can be written, and reads back equal.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let value = try? Value(json: Input(data, count).bytes) else { return 0 }
  guard let text = try? value.json() else {
    require(false, "what JSON said, JSON can say")
    return 0
  }
  require((try? Value(json: text)) == value, "JSON reads back equal")
  _ = value.formatted(unit: "By")
  return 0
}
