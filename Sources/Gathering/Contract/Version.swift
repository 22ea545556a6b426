/// The version of the library, as the C header states it.
public enum Version {
  /// Changes when programs must be built anew.
  public static let major: UInt32 = 0
  /// Changes when something was added.
  public static let minor: UInt32 = 2
  /// Changes when something was corrected.
  public static let patch: UInt32 = 0
  /// `major.minor.patch`.
  public static let text = "\(major).\(minor).\(patch)"
  /// The day of the version, as the change log states it, `YYYY-MM-DD`: the same in every build of
  /// it, and no receiver of satellite signals can truly tell of an earlier one.
  public static let date = "2026-11-26"
}
