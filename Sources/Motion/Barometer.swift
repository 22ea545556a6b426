import Glibc

/// Heights in the troposphere of the International Standard Atmosphere.
public enum Barometer {
  /// The standard pressure at sea level, in pascal.
  public static let standardPressure = 101_325.0

  /// The height in metres at which a pressure is found, `seaLevel` being the pressure at height 0;
  /// nil unless both are finite and above zero.
  public static func altitude(
    pressure: Double, seaLevel: Double = standardPressure
  ) -> Double? {
    let ratio = pressure / seaLevel
    guard pressure > 0, seaLevel > 0, ratio.isFinite, ratio > 0 else { return nil }
    return 44_330.769 * (1 - pow(ratio, 0.1902632))
  }
}
