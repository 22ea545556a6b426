import Gathering
import Values

/// Units: a conversion of a finite number is a number, and one to itself changes nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let codes = Input(data, count).parts(2).map { String(decoding: $0, as: UTF8.self) }
  for number in [0, 1.5, -273.15, 1e300] {
    _ = try? UnitConversion.convert(number, from: codes[0], to: codes[1])
    if let same = try? UnitConversion.convert(number, from: codes[0], to: codes[0]) {
      require(same == number, "a unit converts to itself")
    }
  }
  return 0
}
