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
      Route(
        .get, "/api/v1/graphs/{name}", "one graph",
        [
          Route.Parameter(
            name: "ports", meaning: "1: also the last values of the outputs of its nodes")
        ],
        gives: "Graph"
      ) { call in
        let graph = try served.graph(named: call.names[0])
        var facts = graph.dictionary
        if try call.flag("ports") ?? false { facts["ports"] = .dictionary(graph.portValues) }
        return .json(JSONBody.bytes(facts))
      },
    ]
  }
}
