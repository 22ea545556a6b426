import Gathering
import Values

/// Graphs and the values of their outputs.
enum GraphRoutes {
  static func all(_ served: ServedContext) -> [Route] {
    [
      Route(
        .get, "/api/v1/graphs", "the graphs, and the last values of their outputs",
        gives: "Graphs"
      ) { _ in
        .json(JSONBody.bytes(["graphs": .list(served.graphs.map { .dictionary($0.dictionary) })]))
      },
      Route(.get, "/api/v1/graphs/{name}", "one graph", gives: "Graph") { call in
        guard let graph = served.graphs.first(where: { $0.name == call.names[0] }) else {
          let names = served.graphs.map(\.name)
          throw Refusal(.notFound, Nearest.sentence(to: call.names[0], among: names, what: "graph"))
        }
        return .json(JSONBody.bytes(graph.dictionary))
      },
    ]
  }
}
