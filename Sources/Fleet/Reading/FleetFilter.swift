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

  /// How it is delivered. Rows are not acknowledged: of what waits for that a broker has but some
  /// messages on their way at a time, and when it ends the others are lost; what it has written to
  /// a connection comes.
  var qos: Int32 {
    switch self {
    case .topic(let topic):
      switch topic.subject {
      case .source(_, _, .rows), .source(_, _, .late): 0
      default: 1
      }
    default: 1
    }
  }
}
