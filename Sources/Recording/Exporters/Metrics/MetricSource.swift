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
  /// What is written beside each of its numbers.
  let names: MetricNames

  /// A source with its values, which are none if it was not read. Names of an earlier scrape are
  /// taken over where they fit.
  init(_ source: Source, samples: [Sample], named former: MetricNames? = nil) {
    let id = source.id
    self.init(
      source.kind, instance: id.instance, device: id.device, source.availability,
      source.properties, samples, of: source, named: former)
  }

  /// A source in parts; values count only where there is one for each property.
  init(
    _ kind: any SourceKind, instance: String?, device: String? = nil,
    _ availability: Availability, _ properties: [Property], _ samples: [Sample],
    of origin: Source? = nil, named former: MetricNames? = nil
  ) {
    self.kind = kind.kind
    kindName = kind.name
    self.instance = instance
    self.device = device
    self.availability = availability
    self.properties = properties
    self.samples = samples.count == properties.count ? samples : []
    self.origin = origin
    let isThere = availability.group == .available
    let reason = isThere ? nil : availability.state
    names =
      if let former, former.fits(instance, device, reason) {
        former
      } else {
        MetricNames(kind.kind, instance, device, reason)
      }
  }
}

/// What names a source in metrics.
struct MetricNames: Sendable {
  /// Why it is not there; nil if it is.
  let reason: Availability.State?
  /// For its numbers.
  let labels: MetricLabels
  /// For whether it is there.
  let availability: MetricLabels
  private let instance: String?
  private let device: String?

  init(_ kind: String, _ instance: String?, _ device: String?, _ reason: Availability.State?) {
    (self.instance, self.device, self.reason) = (instance, device, reason)
    labels = MetricLabels(["source": instance, "device": device])
    availability = MetricLabels([
      "kind": kind, "source": instance, "device": device, "reason": reason?.rawValue,
    ])
  }

  /// Whether it is what names a source of the same kind.
  func fits(_ instance: String?, _ device: String?, _ reason: Availability.State?) -> Bool {
    self.reason == reason && self.instance == instance && self.device == device
  }
}
