import Gathering
import Values

/// A graph as it is to be made.
struct GraphPlan {
  /// A child as far as it is known before it is made.
  struct Child {
    let name: String
    let type: String
    let options: ValueDictionary
    /// The document of a graph.
    let graph: GraphPlan?
    /// Nil where its ports are unknown, because something is wrong with it.
    let ports: PortList?
  }

  /// A port of a child.
  struct Reference: Hashable {
    let child: String
    private let name: ExactText
    var port: String { name.text }
    var text: String { "\(child).\(port)" }

    init(child: String, port: String) {
      self.child = child
      name = ExactText(port)
    }
  }

  private(set) var children: [Child] = []
  /// Where each child is in the list: documents may have many.
  private var places: [String: Int] = [:]
  var values: [(to: Reference, value: Value)] = []
  var wires: [(from: Reference, to: Reference)] = []
  var inputs: [(name: String, to: Reference)] = []
  var outputs: [(name: String, from: Reference)] = []
  /// The ports it offers, with their hints.
  var ports = PortList(inputs: [], outputs: [])

  /// The child of a name; nil if there is none.
  func child(named name: String) -> Child? {
    guard let place = places[name], children[place].name.isSpelt(name) else { return nil }
    return children[place]
  }

  /// Adds a child whose name is valid and not taken.
  mutating func add(_ child: Child) {
    places[child.name] = children.count
    children.append(child)
  }
}
