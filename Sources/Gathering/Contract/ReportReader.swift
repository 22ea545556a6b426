/// A reader of what a daemon tells by itself: reading it looks at the newest report.
///
/// It is kept while its instance is absent, since it is what hears of the return.
public protocol ReportReader: InstanceReader {
  /// What hears the reports; nil where nothing is heard.
  var listener: (any ReportListener)? { get }
}

/// Hears a daemon's reports until its last reference goes.
public protocol ReportListener: AnyObject, Sendable {
  /// Waits for the first report since it began to listen, for so many nanoseconds at most.
  func awaitFirstReport(atMost limit: Int64)
}
