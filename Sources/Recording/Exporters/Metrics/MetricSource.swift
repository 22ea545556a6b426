public import Gathering
import Values

/// One source with its values at one moment: what metrics are made of.
public struct MetricSource: Sendable {
  /// The word of its kind.
  public let kind: String
  /// The kind's name, for people.
  public let kindName: String
  /// The instance; nil for a kind that the machine has none of.
  public let instance: String?
  /// The device, in a fleet.
  public let device: String?
  /// Whether it can be read, and if not, why.
  public let availability: Availability
  /// Its properties, in catalogue order.
  public let properties: [Property]
  /// Their values; none where it was not read.
  public let samples: [Sample]
  /// Where they come from.
  let origin: Source?

  /// A source with its values, which are none if it was not read.
  init(_ source: Source, samples: [Sample]) {
    let id = source.id
    self.init(
      source.kind, instance: id.instance, device: id.device, source.availability,
      source.properties, samples, of: source)
  }

  /// A source in parts; values count only where there is one for each property.
  init(
    _ kind: any SourceKind, instance: String?, device: String? = nil,
    _ availability: Availability, _ properties: [Property], _ samples: [Sample],
    of origin: Source? = nil
  ) {
    self.kind = kind.kind
    kindName = kind.name
    self.instance = instance
    self.device = device
    self.availability = availability
    self.properties = properties
    self.samples = samples.count == properties.count ? samples : []
    self.origin = origin
  }
}
