/// The version of the library, as the C header states it.
public enum Version {
  public static let major: UInt32 = 0
  public static let minor: UInt32 = 1
  public static let patch: UInt32 = 0
  /// `major.minor.patch`.
  public static let text = "\(major).\(minor).\(patch)"
}
