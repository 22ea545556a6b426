import Gathering
import Machine
import Values

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

  /// The folders of the chips that some instances are devices of (sources H3).
  static func parents(of instances: [Instance], on machine: Machine) -> Set<String> {
    Set(
      instances.compactMap { instance in
        (try? machine.iio.files.canonicalPath(of: instance.path)).map {
          "/" + $0.split(separator: "/").dropLast().joined(separator: "/")
        }
      })
  }

  /// The same device with a channel's scale and offset out of sight: its values are raw numbers.
  func withoutScale(of channel: String) -> IIODevice {
    var device = self
    for suffix in ["scale", "offset"] {
      while let shared = device.attribute(suffix, of: channel) { device.attributes.remove(shared) }
    }
    return device
  }
}

extension SensorPlan {
  /// A plan of single channels: each property takes the first of those named for it, and one
  /// without any is absent.
  init(_ device: IIODevice, numbers: [(property: Int, channels: [String])], tail: Int) {
    var columns: [Column] = []
    var absent: [Int: String] = [:]
    for (property, channels) in numbers {
      if let channel = channels.first {
        columns.append(Column(property: property, quantity: .number(channel), device: device))
      } else {
        absent[property] = "the sensor does not measure it"
      }
    }
    self.init(device, columns: columns, tail: tail)
    self.absent = absent
  }
}
