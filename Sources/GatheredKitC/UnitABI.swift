public import CGatheredKit
import Gathering
import Values

/// Converts between units.
@_cdecl("gkit_unit_convert") @implementation public func gkit_unit_convert(
  _ value: Double, _ from: UnsafePointer<CChar>?, _ to: UnsafePointer<CChar>?,
  _ out: UnsafeMutablePointer<Double>?
) -> gkit_status {
  entry {
    let out = try place(out)
    let conversion = try UnitConversion(from: try text(from, "from"), to: try text(to, "to"))
    out.pointee = try conversion.convert(value)
  }
}
