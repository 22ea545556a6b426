@_exported public import AsyncDataSources
@_exported public import AsyncGathering
@_exported public import AsyncStreams
@_exported public import DataSources
@_exported public import Fleet
@_exported public import Gathering
@_exported public import Ground
@_exported public import Machine
@_exported public import Patches
@_exported public import Recording
@_exported public import SourceKinds
@_exported public import Streams
@_exported public import Values

extension Context {
  /// Opens a context by its URI, with every kind of the catalogue.
  ///
  /// `local:` is this computer, `local:root=DIR` a captured tree, `sim:NAME` a simulated device,
  /// `replay:FILE` a recording, `mqtt:HOST` the machines that publish to a broker.
  /// `allow` names the personal categories shown.
  public static func open(
    _ uri: String = "local:", allow: Allowance = .none, mode: Mode = .thread
  ) throws(SourceError) -> Context {
    try open(
      uri, allow: allow, mode: mode, catalogue: SourceCatalogue.all,
      recordings: Replay.init, fleets: FleetContext.open)
  }
}
