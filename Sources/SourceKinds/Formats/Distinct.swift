import Gathering

extension [Instance] {
  /// The same instances with names that differ (sources N7), in order.
  func withDistinctNames() -> [Instance] {
    zip(self, InstanceNames.distinct(map(\.name))).map { instance, name in
      var instance = instance
      instance.name = name
      return instance
    }
  }
}

extension Character {
  /// Whether it is one of the ASCII digits.
  var isDecimalDigit: Bool { ("0"..."9").contains(self) }
}

extension String {
  /// Where a text ends at its first appearance in this one.
  func endOfFirst(_ text: String) -> Index? {
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(text) { return rest.index(rest.startIndex, offsetBy: text.count) }
      rest = rest.dropFirst()
    }
    return nil
  }
}
