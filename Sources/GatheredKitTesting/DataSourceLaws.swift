public import AsyncDataSources
import DataSources

/// The laws that every data source keeps (data sources 2.1 and 2.2), to be run against any.
///
/// Each law is tried on a new, empty data source. What it cannot do it must refuse.
public struct DataSourceLaws<Source: DataSource>: Sendable where Source.Value: Equatable {
  /// What the data source can do beyond one object under a key.
  public struct Abilities: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int
    /// The abilities of some bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// A list under a key.
    public static var lists: Abilities { Abilities(rawValue: 1) }
    /// `ids`.
    public static var ids: Abilities { Abilities(rawValue: 2) }
    /// `all` and `page`.
    public static var all: Abilities { Abilities(rawValue: 4) }
    /// `object`: it was told how to find the id of a value.
    public static var object: Abilities { Abilities(rawValue: 8) }
    /// `where` and `orderedBy`.
    public static var refinement: Abilities { Abilities(rawValue: 16) }
    /// `putAll` of rows that know their ids.
    public static var rows: Abilities { Abilities(rawValue: 32) }
    /// Empty, it has nothing to list: `getAll(all)` is `notFound`.
    public static var vanishes: Abilities { Abilities(rawValue: 64) }
  }

  let abilities: Abilities
  let value: @Sendable (String, Int) -> Source.Value
  let make: @Sendable () async throws -> Source

  /// Laws for the data sources `make` gives, each empty and apart from the others.
  ///
  /// `value` gives values that may stand under a key, different for different numbers.
  public init(
    _ abilities: Abilities, value: @escaping @Sendable (String, Int) -> Source.Value,
    make: @escaping @Sendable () async throws -> Source
  ) {
    self.abilities = abilities
    self.value = value
    self.make = make
  }

  /// Which laws are broken, and how; empty when all are kept.
  public func violations() async -> [String] {
    let trials =
      EntryLaws<Source>(abilities: abilities, value: value).all
      + QueryLaws<Source>(abilities: abilities, value: value).all
    var violations: [String] = []
    for trial in trials {
      do {
        let subject = LawTrial(source: try await make())
        do { try await trial(subject) } catch { subject.violations.append("failed: \(error)") }
        violations += subject.violations
      } catch {
        violations.append("no data source to try: \(error)")
      }
    }
    return violations
  }
}

/// One law tried on one data source; touched by one task.
final class LawTrial<Source: DataSource> where Source.Value: Equatable {
  typealias Value = Source.Value

  let source: Source
  var violations: [String] = []

  init(source: Source) { self.source = source }

  func expect(_ law: String, _ isKept: Bool) {
    if !isKept { violations.append(law) }
  }

  /// Expects that a call is refused with a code.
  func expect(
    _ law: String, _ code: DataSourceError.Code,
    _ call: (Source) async throws(DataSourceError) -> Void
  ) async {
    do throws(DataSourceError) {
      try await call(source)
      violations.append("\(law): \(code) was expected, and there is an answer")
    } catch {
      if error.code != code { violations.append("\(law): \(code) was expected, not \(error.code)") }
    }
  }

  /// The error of a call; nil if it has an answer.
  func error(_ call: (Source) async throws(DataSourceError) -> Void) async -> DataSourceError? {
    do throws(DataSourceError) {
      try await call(source)
      return nil
    } catch {
      return error
    }
  }
}
