/// What is subscribed of a broker.
enum FleetFilter: Sendable {
  /// A message of every machine.
  case all(String)
  /// What all sources of a machine are.
  case abouts(of: String)
  case topic(FleetTopic)

  /// The filter below a root.
  func text(below root: String) -> String {
    let start = "\(root)/\(FleetTopic.version)"
    return switch self {
    case .all(let what): "\(start)/+/\(what)"
    case .abouts(let device): "\(start)/\(FleetTopic.level(device))/+/+/about"
    case .topic(let topic): topic.text(below: root)
    }
  }
}
