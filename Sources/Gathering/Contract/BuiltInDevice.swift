/// A simulated device that the library brings: `sim:laptop`, `sim:phone`. It has what each kind of
/// the catalogue says it has (`SourceKind.simulated`).
public enum BuiltInDevice: String, CaseIterable, Sendable {
  /// A convertible computer on battery.
  case laptop
  /// A handset that is being charged.
  case phone
}
