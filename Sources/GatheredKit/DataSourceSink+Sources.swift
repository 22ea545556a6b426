public import AsyncDataSources
public import DataSources
import Gathering
public import Recording
public import Values

extension DataSourceSink {
  /// What puts samples into a data source of rows.
  ///
  ///     context.sampleSinks["log"] = DataSourceSink(InMemoryDataSource<ValueDictionary>())
  public convenience init(_ source: some PutDataSource<ValueDictionary>) {
    self.init(source) { $0 }
  }

  /// What puts samples into a table with the columns `source` (string), `time` (time) and `value`,
  /// and `value.status` (string) for samples that are not ok; the last two may be null.
  public convenience init(_ source: some PutDataSource<TableRow>) {
    self.init(source) { try TableRow($0) }
  }

  /// What puts samples into a data source that holds something made of their rows.
  ///
  /// What the function throws is why a sample could not be recorded.
  public convenience init<Source: PutDataSource>(
    _ source: Source, _ stored: @escaping @Sendable (ValueDictionary) throws -> Source.Value
  ) {
    self.init(source.dataAccess, stored)
  }
}
