public import AsyncDataSources
public import DataSources
import Gathering
import Recording
public import Values

/// A recording as a data source: an entry is the list of rows of one series, under its full id or
/// name (data sources L36).
///
/// A row is a dictionary, as `RecordedRow` and `RecordedInterval` describe it. `all` and `page`
/// answer the rows series by series, `timeRange` all by time; `where` and `orderedBy` take the
/// members of rows for columns. What is recorded meanwhile is found. Deleting writes the files
/// anew, and is `failed` with EBUSY while they are being recorded; nothing can be put.
public struct RecordingDataSource: AccessedDataSource {
  /// A row.
  public typealias Value = ValueDictionary

  /// What performs its calls.
  public let access: Accessor<ValueDictionary>

  /// The recording at a path, in one file or several, whose rows are read when they are asked for.
  ///
  /// `series` are full ids, names of streams or kinds, `properties` are keys: what is not there is
  /// `notFound`. With an interval, in nanoseconds, the rows in it come to one. Throws
  /// `illegalArgument` for what is no path, and for an interval that is not longer than 0.
  public init(
    path: String, series: [String]? = nil, properties: [String]? = nil, interval: Int64? = nil
  ) throws(DataSourceError) {
    var view = RecordingStore.View()
    view.series = series
    view.properties = properties
    view.interval = interval
    access = Accessor(try RecordingStore(path, view).access { $0 })
  }
}
