extension DataAccess {
  /// That of a store which has no verb at all (data sources L19).
  package static var void: DataAccess {
    DataAccess(answering: { _ in .failure(DataSourceError(.notImplemented)) })
  }
}
