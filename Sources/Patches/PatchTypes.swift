import Values

/// The types of patches, as a patch of one of them knows them.
protocol PatchTypes: AnyObject, Sendable {
  /// The ports that a type gives a patch of some options; nil for an unknown type, and where the
  /// options are bad.
  func ports(of type: String, options: ValueDictionary) -> PortList?
}
