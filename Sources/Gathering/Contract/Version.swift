/// The version of the library, as the C header states it.
public enum Version {
  /// Changes when programs must be built anew.
  public static let major: UInt32 = 0
  /// Changes when something was added.
  public static let minor: UInt32 = 1
  /// Changes when something was mended.
  public static let patch: UInt32 = 0
  /// `major.minor.patch`.
  public static let text = "\(major).\(minor).\(patch)"
}
