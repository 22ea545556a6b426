import Ground

/// The functions of a library of the system, looked up when first wanted and then kept.
///
/// A library that is missing may be installed while we run: it is looked for again by the first who
/// wants it 2 s after the last look (sources A4).
final class LibraryTable<Table: Sendable>: Sendable {
  private struct Attempt {
    var outcome: Result<Table, MissingLibrary>
    var moment: Int64
  }

  private let load: @Sendable () throws(MissingLibrary) -> Table
  private let clock: any TimeSource
  private let last = Monitor<Attempt?>(nil)

  /// A table that `load` makes; of two threads that make it at once, both may have theirs.
  init(
    clock: any TimeSource = LiveTime(),
    _ load: @escaping @Sendable () throws(MissingLibrary) -> Table
  ) {
    self.load = load
    self.clock = clock
  }

  /// The table. Throws why there is none.
  func get() throws(MissingLibrary) -> Table {
    let known = last.withLock { $0 }
    switch known?.outcome {
    case .success(let table)?: return table
    case .failure(let missing)? where clock.now.boot - (known?.moment ?? 0) < Self.rest:
      throw missing
    default: break
    }
    let outcome: Result<Table, MissingLibrary>
    do throws(MissingLibrary) {
      outcome = .success(try load())
    } catch {
      outcome = .failure(error)
    }
    let attempt = Attempt(outcome: outcome, moment: clock.now.boot)
    last.withLock { $0 = attempt }
    return try outcome.get()
  }

  /// How long a look counts that found nothing, in nanoseconds.
  private static var rest: Int64 { 2_000_000_000 }
}
