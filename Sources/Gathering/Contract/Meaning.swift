/// What a property means, and where Linux keeps it: its row of the catalogue in words.
///
/// A kind makes it when it is asked for, of constants of the program: nothing is kept.
public struct Meaning: Equatable, Sendable {
  /// One clause for people, without a full stop.
  public let text: String
  /// The kernel file, the member of an interface, or the formula.
  public let origin: String

  /// A meaning, and where the value comes from.
  public init(_ text: String, from origin: String) {
    self.text = text
    self.origin = origin
  }
}

/// What a kind is about.
public struct KindMeaning: Equatable, Sendable {
  /// One clause for people, without a full stop.
  public let text: String
  /// The backends, in the order in which they are tried.
  public let origin: String
  /// What its instances are, in the order of a listing.
  public let instances: String

  /// A meaning, where the values come from, and what there can be several of.
  public init(_ text: String, from origin: String, instances: String) {
    self.text = text
    self.origin = origin
    self.instances = instances
  }
}
