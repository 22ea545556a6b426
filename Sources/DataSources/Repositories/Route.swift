/// Which of its stores a repository asks (data sources 2.5).
public enum Operation: Sendable {
  /// Main only.
  case main
  /// The cache only; what is not valid is `notValid`, unless that is ignored.
  case cache(ignoringValidity: Bool = false)
  /// Main, and then the cache is given the answer.
  case mainSync
  /// The cache; on a miss as `mainSync`. Writes go to the cache and then to main.
  case cacheSync(Fallback = .never)
  /// `cacheSync(.never)` for reads, `mainSync` for writes.
  case `default`
}

/// Whether a stale value is answered when main has failed after a miss (data sources L49).
public enum Fallback: Sendable {
  /// Main's error is the answer.
  case never
  /// The stale value is, if there was one.
  case always
  /// A function of main's error and the cache's decides.
  case when(@Sendable (DataSourceError, DataSourceError) -> Bool)

  func agrees(_ main: DataSourceError, _ cache: DataSourceError) -> Bool {
    switch self {
    case .never: false
    case .always: true
    case .when(let decide): decide(main, cache)
    }
  }
}
