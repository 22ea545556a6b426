public import Gathering
import Ground
import Machine
import Values

/// The machines that publish to a broker, as one context (<doc:Fleet>).
public enum FleetContext {
  /// Opens a context of `mqtt:HOST`: the sources of all machines below one root.
  ///
  /// Waits for the list of sources, 5 s at most after the broker has accepted, and opens also
  /// without a broker, after 2 s: its kinds then say why, and mend by themselves. Throws
  /// `invalidArgument`, for files that the URI names `notFound`, `parse` and PERMISSION, and
  /// `unavailable` without libmosquitto.
  public static func open(
    _ uri: String, _ catalogue: [any SourceKind], _ allow: Allowance, _ mode: Context.Mode
  ) throws(SourceError) -> Context {
    let link = FleetLink(try FleetAddress(uri))
    try link.start()
    link.awaitList()
    let provider = FleetProvider(link)
    let context = try Context.open(
      uri, from: provider, named: .oneOfMany, kinds: provider.kinds(catalogue), allow: allow,
      mode: mode)
    _ = context.onClose { [weak link] in link?.close() }
    return context
  }
}
