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

  /// The quality of service that is asked for. Rows are asked for with 0: a broker holds back all
  /// but a few messages that a reader has to acknowledge, and loses them when it ends
  /// (Decisions/0051).
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
