/// A reader of a daemon's reports: reading it returns the newest report.
///
/// It is kept while its instance is absent, since it detects the return.
public protocol ReportReader: InstanceReader {
  /// The listener that receives the reports; nil if there are none.
  var listener: (any ReportListener)? { get }
}

/// Receives a daemon's reports until its last reference is released.
public protocol ReportListener: AnyObject, Sendable {
  /// Waits for the first report since it began to listen, at most `limit` nanoseconds.
  func awaitFirstReport(atMost limit: Int64)
}
