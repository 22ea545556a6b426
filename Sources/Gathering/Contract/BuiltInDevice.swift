/// A simulated device built into the library: `sim:laptop`, `sim:phone`. Each kind of the catalogue
/// defines its values on the device (`SourceKind.simulated`).
public enum BuiltInDevice: String, CaseIterable, Sendable {
  /// A convertible computer on battery.
  case laptop
  /// A handset that is being charged.
  case phone
}
