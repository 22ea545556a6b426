package import Gathering
import Values

/// Where a broker keeps what it has of a machine (fleet F18).
package struct DevicePlaces: Sendable {
  /// How the topics of what it published begin.
  package let published: String
  /// The topics of what Home Assistant was told.
  package let discovered: [String]

  /// Of a machine that may have published these kinds. Throws `invalidArgument` for what can be no
  /// name or no prefix.
  package init(
    _ device: String, below address: FleetAddress, discovery prefix: String, kinds: [String]
  ) throws(SourceError) {
    try MachineName.check(device)
    try FleetAddress.check(topics: prefix, of: "discovery")
    published = "\(address.root)/\(FleetTopic.version)/\(FleetTopic.level(device))/"
    discovered = (kinds + [FleetTopic.streamKind]).map {
      EntityDiscovery.topic(below: prefix, device, $0)
    }
  }
}
