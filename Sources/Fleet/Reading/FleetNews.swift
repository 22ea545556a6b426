/// What has changed in the lists of kinds since they were last asked for.
struct FleetNews: Sendable {
  /// The sources that have changed, of the kinds whose whole lists were told.
  private var changed: [String: Set<FleetKey>] = [:]

  /// The names of the machines in the order in which their sources are listed, once it is known.
  var order: [String]?

  /// All lists may be others.
  mutating func forget() { (changed, order) = ([:], nil) }

  /// The list of a kind may be another.
  mutating func forget(_ kind: String) {
    changed[kind] = nil
    order = nil
  }

  /// A source has changed, and its list has not.
  mutating func note(_ key: FleetKey) { changed[key.kind]?.insert(key) }

  /// The whole list of a kind is told.
  mutating func tell(_ kind: String) { changed[kind] = [] }

  /// What has changed in a kind's list is told; nil if the list may be another.
  mutating func take(_ kind: String) -> Set<FleetKey>? {
    guard let keys = changed[kind] else { return nil }
    changed[kind] = []
    return keys
  }
}
