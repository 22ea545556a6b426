import Gathering
import Machine

extension IIODevice {
  /// The channels of a type that have a value, by modifier in the order given, then in natural
  /// order: `temp`, `temp0`, `temp_ambient`. An empty modifier stands for none.
  func channels(_ type: String, modifiers: [String] = [""]) -> [String] {
    let names = Set(
      attributes.compactMap { attribute -> String? in
        for suffix in ["_raw", "_input"] where attribute.hasSuffix(suffix) {
          return String(attribute.dropLast(suffix.count))
        }
        return nil
      })
    return modifiers.flatMap { modifier in
      names.filter { Self.isChannel($0, of: type, modifier) }.map { String($0.dropFirst(3)) }
        .sorted(by: NaturalOrder.areInIncreasingOrder)
    }
  }

  /// Whether a name is `in_`, the type, an index or none, and the modifier or none.
  private static func isChannel(_ name: String, of type: String, _ modifier: String) -> Bool {
    let stem = "in_\(type)"
    guard name.hasPrefix(stem) else { return false }
    let rest = name.dropFirst(stem.count).drop(while: \.isDecimalDigit)
    return rest == (modifier.isEmpty ? "" : "_\(modifier)")
  }

  /// A table with the steps of this device's channels; `steps` names the channel of a property
  /// and what its step is to be multiplied by.
  func table(
    _ properties: [Property], steps: [(property: Int, channel: String, factor: Double)],
    in files: any FileTree
  ) -> [Property] {
    var properties = properties
    let attributes = IIOAttributes(of: self, in: files)
    for (property, channel, factor) in steps {
      let step = IIOChannel(channel, of: self, reading: attributes).step
      properties[property].resolution = step.map { $0 * factor }
    }
    return properties
  }
}
