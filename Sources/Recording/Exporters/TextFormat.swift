/// A text that rows are written as: what other programs read.
public enum TextFormat: Equatable, Sendable {
  /// One JSON object a line: `{"id":…,"time_ns":…,"values":{KEY:{"value":…,"unit":…,"status":…}}}`,
  /// with `reason` and `remedy` of what is missing, as `gathered read --json` prints them; of an
  /// event `{"id":…,"time_ns":…,"event":…}`. Numbers that are not finite are null.
  case jsonLines
  /// Comma-separated values (RFC 4180), the names of the columns in the first line.
  case csv(Layout)

  /// What a line of comma-separated values holds.
  public enum Layout: Equatable, Sendable {
    /// A row of one source or stream: `time`, then a column a property, `acceleration.x` for the
    /// component of a vector; empty where it is missing.
    case wide
    /// One value: `time,source,property,value,status`. For several sources.
    case long
  }

  /// Whether it takes several sources or streams.
  var takesSeveral: Bool { self != .csv(.wide) }
}
